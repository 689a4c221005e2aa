// Product units: memory in MB and disk in GB, both binary (1 GB = 1024 MB).

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;

function format(value: number, unit: number): string {
  if (!Number.isFinite(value) || value < 0) return '–';
  let amount = value;
  let index = unit;
  while (amount >= 1024 && index < UNITS.length - 1) {
    amount /= 1024;
    index++;
  }
  // 1023.96 would be rounded to "1024 MB".
  if (Number(amount.toFixed(1)) >= 1024 && index < UNITS.length - 1) {
    amount = 1;
    index++;
  }
  return `${String(Number(amount.toFixed(index === 0 ? 0 : 1)))} ${UNITS[index] ?? 'B'}`;
}

/** Megabytes: 512 → "512 MB", 2048 → "2 GB", 1536 → "1.5 GB". */
export function formatMb(megabytes: number): string {
  return format(megabytes, 2);
}

/** Gigabytes: 20 → "20 GB", 2048 → "2 TB". */
export function formatGb(gigabytes: number): string {
  return format(gigabytes, 3);
}

/** Bytes: 204800 → "200 KB". */
export function formatBytes(bytes: number): string {
  return format(bytes, 0);
}

/**
 * Returns an instance type's name where it is selected or priced: "Small (tdx.small)". Elsewhere its ID is enough.
 */
export const typeName = ({ id, name }: { id: string; name: string }): string =>
  name === id ? id : `${name} (${id})`;
