import { count } from '../../lib/texts/count';

/** Units of chart values, which determine their format and axis. */
export type ChartUnit =
  | 'percent'
  | 'load'
  | 'bytes'
  | 'bytes_per_second'
  | 'errors_per_second'
  | 'containers'
  | 'hours'
  | 'gb_hours'
  | 'count'
  | 'usd';

const BINARY = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;

const THOUSANDS = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });

/** Formats three significant digits: 0.123, 1.23, 12.3, 123, 1,234. */
function digits(value: number): string {
  const size = Math.abs(value);
  const decimals = size === 0 || size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 3;
  return THOUSANDS.format(Number(value.toFixed(decimals)));
}

function bytes(value: number): string {
  let index = 0;
  let amount = value;
  while (amount >= 1023.5 && index < BINARY.length - 1) {
    amount /= 1024;
    index += 1;
  }
  return `${digits(index === 0 ? Math.round(amount) : amount)} ${BINARY[index]}`;
}

/** Formats cents, or three significant digits below $10: neighboring ticks of a tiny cost must differ. */
function usd(value: number): string {
  const size = Math.abs(value);
  const decimals = size === 0 || size >= 0.1 ? 2 : Math.min(12, 2 - Math.floor(Math.log10(size)));
  const [whole = '0', fraction = ''] = size.toFixed(decimals).split('.');
  return `${value < 0 ? '−' : ''}$${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}

/** Formats a value with its unit: "12.3%", "0.52", "1.5 GB", "120 KB/s"; a dash if nothing was measured. */
export function formatValue(value: number | null | undefined, unit: ChartUnit): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '—';
  switch (unit) {
    case 'percent':
      return `${digits(value)}%`;
    case 'bytes':
      return bytes(value);
    case 'bytes_per_second':
      return `${bytes(value)}/s`;
    case 'hours':
      return `${digits(value)} h`;
    case 'gb_hours':
      return `${digits(value)} GB·h`;
    case 'count':
      return count(Math.round(value));
    case 'usd':
      return usd(value);
    case 'errors_per_second':
      return `${digits(value)}/s`;
    default:
      return digits(value);
  }
}

/** Units in words, for screen readers and table headings. */
export const unitWords: Readonly<Record<ChartUnit, string>> = {
  percent: 'percent',
  load: 'load average',
  bytes: 'bytes',
  bytes_per_second: 'bytes per second',
  errors_per_second: 'errors per second',
  containers: 'containers',
  hours: 'hours',
  gb_hours: 'gigabyte-hours',
  count: 'number',
  usd: 'US dollars',
};

export const isBinary = (unit: ChartUnit): boolean => unit === 'bytes' || unit === 'bytes_per_second';
