import { formatMicros } from '../../../console/lib/billing/money';
import { accruedUsage } from '../../db/billing/accrued';
import { cvmSizes, everyLine } from '../../db/billing/usageTotals';
import type { Db } from '../../db/core/client';
import { amountWithin } from '../../domain/billing/metering';
import type { Window } from '../../domain/billing/usageDays';
import { csvLine } from '../../domain/core/csv';
import { teamOf } from '../core/caller';
import { attachment } from '../metrics/attachment';
import { usageWindow } from '../metrics/window';
import type { Handler } from '../types';

const COLUMNS = [
  'app',
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
  'state',
];

export const exportTeamUsage: Handler<'exportTeamUsage'> = async ({ query, ctx }) => {
  const window = usageWindow(query);
  const { id, slug } = teamOf(ctx);
  return attachment(`${slug}-usage-${window.from.toISOString().slice(0, 10)}`, linesOf(ctx.db, id, window));
};

async function* linesOf(db: Db, team_id: number, window: Window): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  // Read first: of an hour that is posted while the file is written, the posted lines count.
  const { lines } = await accruedUsage(db, team_id, window.to);
  let posted = window.from;
  for await (const rows of everyLine(db, team_id, window)) {
    for (const { ends_at } of rows) if (ends_at > posted) posted = ends_at;
    const text = rows.map(({ corrects, starts_at, ends_at, ...row }) =>
      line({
        ...row,
        from: starts_at,
        to: ends_at,
        state: corrects === null ? 'posted' : 'correction',
      }),
    );
    if (text.length > 0) yield text.join('');
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
  for (const row of open) {
    const cvm = nameOf.get(row.cvm_id);
    if (cvm)
      yield line({
        ...row,
        app: cvm.app,
        cvm: cvm.name,
        vm_uuid: cvm.vm_uuid,
        state: 'not posted yet',
      });
  }
}

interface ExportedLine {
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

const line = (row: ExportedLine): string =>
  csvLine([
    row.app,
    row.cvm,
    row.vm_uuid,
    row.from.toISOString(),
    row.to.toISOString(),
    row.status,
    row.basis,
    row.vcpu,
    row.memory_mb,
    row.disk_gb,
    (row.to.getTime() - row.from.getTime()) / 1000,
    formatMicros(row.rate_micros),
    formatMicros(row.amount_micros),
    row.state,
  ]);
