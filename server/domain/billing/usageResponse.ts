import type { UsageByState, UsageLine as WireLine } from '../../../generated/api/types.gen';
import { formatMicros } from '../../../console/lib/billing/money';
import type { SheetRow } from '../core/sheet';
import { usageByState, type UsageLine } from './metering';

export const toUsageLine = ({
  rate_micros,
  amount_micros,
  from,
  to,
  status,
  carry: _,
  order_id,
  ...line
}: UsageLine): WireLine => ({
  ...line,
  reserved: order_id !== null,
  from: from.toISOString(),
  to: to.toISOString(),
  status: status as WireLine['status'],
  hourly_rate: formatMicros(rate_micros),
  amount: formatMicros(amount_micros),
});

export const toUsageByState = (lines: readonly UsageLine[]): UsageByState[] =>
  usageByState(lines).map(({ status, amount_micros, ...group }) => ({
    ...group,
    status: status as UsageByState['status'],
    amount: formatMicros(amount_micros),
  }));

export const USAGE_COLUMNS = [
  'cvm',
  'vm_uuid',
  'from',
  'to',
  'status',
  'paid_for',
  'vcpu',
  'memory_mb',
  'disk_gb',
  'seconds',
  'usd_per_hour',
  'usd',
] as const;

/** Returns the rows of a file: one per usage line. */
export const usageRows = (
  { name, vm_uuid }: { name: string; vm_uuid: string },
  lines: readonly UsageLine[],
): SheetRow[] =>
  lines.map((line) => [
    name,
    vm_uuid,
    line.from,
    line.to,
    line.status,
    line.basis,
    line.vcpu,
    line.memory_mb,
    line.disk_gb,
    line.seconds,
    { decimal: formatMicros(line.rate_micros) },
    { decimal: formatMicros(line.amount_micros) },
  ]);
