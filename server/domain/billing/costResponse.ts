import type { CostGroup, UsageGroup, UsageHours } from '../../../generated/api/types.gen';
import { formatMicros } from '../../../console/lib/billing/money';

/* Totals by day and group, as in the API. */

/** Totals of usage and orders. */
export interface UsageSums {
  vcpu_seconds: number;
  memory_mb_seconds: number;
  disk_gb_seconds: number;
  gpu_seconds: number;
  ai_requests: number;
  ai_tokens: number;
  /** Seconds of capacity reserved by orders. */
  reserved_seconds: number;
  amount_micros: number;
}

type Cell = UsageSums & { kind: CostGroup['kind']; key: string | null; day: Date };

interface GroupName {
  key: string;
  name: string;
  app_id: string | null;
  deleted: boolean;
}

interface Totals {
  cells: readonly Cell[];
  groups: number;
}

const MILLI = 1000;
const hours = (seconds: number, per = 1) => Math.round((seconds / 3600 / per) * MILLI) / MILLI;
const MB_PER_GB = 1024;

const NONE: UsageSums = {
  vcpu_seconds: 0,
  memory_mb_seconds: 0,
  disk_gb_seconds: 0,
  gpu_seconds: 0,
  ai_requests: 0,
  ai_tokens: 0,
  reserved_seconds: 0,
  amount_micros: 0,
};

const sum = (cells: readonly UsageSums[]): UsageSums =>
  cells.reduce(
    (total, cell) => ({
      vcpu_seconds: total.vcpu_seconds + cell.vcpu_seconds,
      memory_mb_seconds: total.memory_mb_seconds + cell.memory_mb_seconds,
      disk_gb_seconds: total.disk_gb_seconds + cell.disk_gb_seconds,
      gpu_seconds: total.gpu_seconds + cell.gpu_seconds,
      ai_requests: total.ai_requests + cell.ai_requests,
      ai_tokens: total.ai_tokens + cell.ai_tokens,
      reserved_seconds: total.reserved_seconds + cell.reserved_seconds,
      amount_micros: total.amount_micros + cell.amount_micros,
    }),
    NONE,
  );

const usageHours = (sums: UsageSums): UsageHours => ({
  vcpu_hours: hours(sums.vcpu_seconds),
  memory_gb_hours: hours(sums.memory_mb_seconds, MB_PER_GB),
  disk_gb_hours: hours(sums.disk_gb_seconds),
  gpu_hours: hours(sums.gpu_seconds),
  ai_requests: sums.ai_requests,
  ai_tokens: sums.ai_tokens,
  reserved_hours: hours(sums.reserved_seconds),
});

function mapBy<K>(cells: readonly Cell[], keyOf: (cell: Cell) => K): Map<K, Cell[]> {
  const found = new Map<K, Cell[]>();
  for (const cell of cells) {
    const own = found.get(keyOf(cell));
    if (own) own.push(cell);
    else found.set(keyOf(cell), [cell]);
  }
  return found;
}

/** Days without usage are zero, not missing. */
const byDay = (cells: readonly Cell[], days: readonly Date[]): UsageSums[] => {
  const found = mapBy(cells, ({ day }) => day.getTime());
  return days.map((day) => sum(found.get(day.getTime()) ?? []));
};

function grouped({ cells, groups }: Totals, names: readonly GroupName[]) {
  // A model could have the name of an instance type.
  const byKey = mapBy(cells, ({ kind, key }) => (key === null ? null : `${kind} ${key}`));
  const shown = byKey.size - (byKey.has(null) ? 1 : 0);
  const nameOf = new Map(names.map((name) => [name.key, name]));
  return [...byKey.values()].map((own) => {
    const { kind, key } = own[0]!;
    const name = key === null || kind === 'ai_model' ? undefined : nameOf.get(key);
    return {
      kind,
      key,
      name: name?.name ?? key,
      app_id: name?.app_id ?? null,
      deleted: name?.deleted ?? false,
      count: key === null ? groups - shown : 1,
      cells: own,
    };
  });
}

export const usageGroups = (
  totals: Totals,
  names: readonly GroupName[],
  days: readonly Date[],
): { days: UsageHours[]; total: UsageHours; groups: UsageGroup[] } => ({
  total: usageHours(sum(totals.cells)),
  days: byDay(totals.cells, days).map(usageHours),
  groups: grouped(totals, names).map(({ cells, ...group }) => ({
    ...group,
    total: usageHours(sum(cells)),
    days: byDay(cells, days).map(usageHours),
  })),
});

export const costGroups = (
  totals: Totals,
  names: readonly GroupName[],
  days: readonly Date[],
): { amount: string; days: string[]; groups: CostGroup[] } => {
  const amounts = (cells: readonly Cell[]) =>
    byDay(cells, days).map(({ amount_micros }) => formatMicros(amount_micros));
  const amount = (cells: readonly Cell[]) => formatMicros(sum(cells).amount_micros);
  return {
    amount: amount(totals.cells),
    days: amounts(totals.cells),
    groups: grouped(totals, names).map(({ cells, ...group }) => ({
      ...group,
      amount: amount(cells),
      days: amounts(cells),
    })),
  };
};
