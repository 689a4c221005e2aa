import { formatMicros } from '../../../../console/lib/billing/money';
import { findAiMeter } from '../../../db/ai/aiCharges';
import { everyAiLine, openAiHours, type AiHour } from '../../../db/ai/aiTotals';
import { accruedUsage } from '../../../db/billing/accrued';
import { orderCharges, type OrderCharge } from '../../../db/billing/orders/orderTotals';
import { cvmSizes, everyLine } from '../../../db/billing/usageTotals';
import type { Db } from '../../../db/core/client';
import { readSnapshot } from '../../../db/core/snapshot';
import { amountWithin } from '../../../domain/billing/metering';
import type { Window } from '../../../domain/billing/usageDays';
import { USAGE_COLUMNS } from '../../../domain/billing/usageResponse';
import type { SheetRow } from '../../../domain/core/sheet';

/** Clients read columns by position: append new ones at the end. */
export const TEAM_COLUMNS = [
  'app',
  ...USAGE_COLUMNS,
  'state',
  'kind',
  'description',
  'requests',
  'input_tokens',
  'output_tokens',
] as const;

/**
 * Yields a team's usage and payments in batches: posted CVM lines, unposted ones, AI requests per hour, model and
 * key, and charged or refunded orders.
 */
export async function* teamUsageRows(db: Db, team_id: number, window: Window): AsyncGenerator<SheetRow[]> {
  // Read first: if an hour is posted while the file is written, its posted lines count.
  const { lines } = await accruedUsage(db, team_id, window.to);
  const ai = await readSnapshot(db, async (trx) => ({
    asked: await openAiHours(trx, team_id),
    closed: (await findAiMeter(trx, team_id))?.closed_until ?? null,
  }));
  let posted = window.from;
  for await (const rows of everyLine(db, team_id, window)) {
    for (const { ends_at } of rows) if (ends_at > posted) posted = ends_at;
    yield rows.map(({ corrects, starts_at, ends_at, ...row }) =>
      cvmRow({ ...row, from: starts_at, to: ends_at, state: corrects === null ? 'posted' : 'correction' }),
    );
  }
  const rest = { from: posted, to: window.to };
  const open = lines
    .filter(({ basis, to }) => basis !== 'none' && to > posted)
    .map((one) => ({
      ...one,
      from: one.from > posted ? one.from : posted,
      amount_micros: amountWithin(one, rest),
    }));
  const names = await cvmSizes(db, [...new Set(open.map(({ cvm_id }) => cvm_id))]);
  const nameOf = new Map(names.map((name) => [name.id, name]));
  yield open.flatMap((row) => {
    const cvm = nameOf.get(row.cvm_id);
    if (!cvm) return [];
    return [cvmRow({ ...row, app: cvm.app, cvm: cvm.name, vm_uuid: cvm.vm_uuid, state: 'not posted yet' })];
  });
  yield* aiRows(db, team_id, window, ai);
  yield (await orderCharges(db, team_id, window)).map(orderRow);
}

/**
 * Yields requests not yet charged when `asked` was read, in new hours or late in posted ones. Lines posted since
 * then, after `closed`, are left out.
 */
async function* aiRows(
  db: Db,
  team_id: number,
  window: Window,
  { asked, closed }: { asked: readonly AiHour[]; closed: Date | null },
) {
  if (closed !== null)
    for await (const rows of everyAiLine(db, team_id, window, closed))
      yield rows.map((row) => aiRow(row, 'posted'));
  yield asked
    .filter(({ starts_at }) => starts_at >= window.from && starts_at < window.to)
    .map((row) => aiRow(row, 'not posted yet'));
}

interface CvmLine {
  app: string;
  cvm: string;
  vm_uuid: string;
  from: Date;
  to: Date;
  status: string;
  basis: string;
  vcpu: number;
  memory_mb: number;
  disk_gb: number;
  rate_micros: number;
  amount_micros: number;
  state: string;
}

const usd = (micros: number) => ({ decimal: formatMicros(micros) });
const seconds = (from: Date, to: Date) => (to.getTime() - from.getTime()) / 1000;

const cvmRow = (row: CvmLine): SheetRow => [
  row.app,
  row.cvm,
  row.vm_uuid,
  row.from,
  row.to,
  row.status,
  row.basis,
  row.vcpu,
  row.memory_mb,
  row.disk_gb,
  seconds(row.from, row.to),
  usd(row.rate_micros),
  usd(row.amount_micros),
  row.state,
  'cvm',
  null,
  null,
  null,
  null,
];

const HOUR_MS = 3_600_000;
const NO_CVM = [null, null, null] as const;
const NO_SIZE = [null, null, null] as const;

const aiRow = (row: AiHour, state: string): SheetRow => [
  ...NO_CVM,
  row.starts_at,
  new Date(row.starts_at.getTime() + HOUR_MS),
  null,
  'ai',
  ...NO_SIZE,
  null,
  null,
  usd(row.amount_micros),
  state,
  'ai',
  row.model,
  row.requests,
  row.input_tokens,
  row.output_tokens,
];

/** A refund has no term: it counts when it was booked. */
const orderRow = (row: OrderCharge): SheetRow => [
  ...NO_CVM,
  row.starts_at ?? row.effective_at,
  row.ends_at ?? row.effective_at,
  null,
  'order',
  ...NO_SIZE,
  row.starts_at && row.ends_at ? seconds(row.starts_at, row.ends_at) : null,
  null,
  usd(row.amount_micros),
  'posted',
  'order',
  row.description,
  null,
  null,
  null,
];
