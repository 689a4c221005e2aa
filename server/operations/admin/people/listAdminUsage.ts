import type { AdminUsage } from '../../../../generated/api/types.gen';
import { adminExport } from '../../../db/adminExport';
import { adminList, type AdminListQuery } from '../../../db/adminList';
import { adminUsage, type AdminUsageRow } from '../../../db/adminUsage';
import { csvLine } from '../../../domain/csv';
import { adminUsageOut } from '../../../domain/wire/adminPeople';
import { meteredOf } from '../../metrics/readUsage';
import { usageWindow } from '../../metrics/window';
import type { Context, Handler } from '../../types';
import { csvCell } from '../csvCell';
import { columnsOf, contentRange, parseListQuery } from '../listQuery';

/** Rows of one answer, as each is worked out from the record of its states. */
const MOST_METERED = 200;

export const listAdminUsage: Handler<'listAdminUsage'> = async ({ query, ctx }) => {
  const window = usageWindow({});
  const used = async (rows: readonly AdminUsageRow[]) => {
    const ids = rows.map((row) => row.cvm_id);
    const figures = await meteredOf(ctx, ids, window);
    return rows.map((row, i) => adminUsageOut(row, figures[i] ?? { lines: [], amount_micros: 0 }));
  };
  const asked = parseListQuery({ ...query, sort: query.sort ?? '["created_at","DESC"]' }, adminUsage.fields);
  if (query.format === 'csv') return asFile(ctx, asked, columnsOf(query.columns, adminUsage.fields), used);
  const last = Math.min(asked.last, asked.first + MOST_METERED - 1);
  const { rows, total } = await adminList(ctx.db, adminUsage, { ...asked, last });
  return {
    status: 200,
    headers: { 'Content-Range': contentRange('usage', asked.first, rows.length, total) },
    body: await used(rows),
  };
};

/** Everything that fits, a batch at a time: what it cost is worked out as it goes. */
async function asFile(
  ctx: Context,
  asked: AdminListQuery,
  columns: readonly string[],
  used: (rows: readonly AdminUsageRow[]) => Promise<AdminUsage[]>,
) {
  await ctx.write(({ audit }) =>
    audit({
      action: 'admin.export',
      target_kind: 'admin_list',
      target_id: 'usage',
      after: { columns: [...columns] },
    }),
  );
  async function* lines() {
    yield csvLine(columns);
    for await (const rows of adminExport(ctx.db, adminUsage, asked))
      for (let i = 0; i < rows.length; i += MOST_METERED)
        for (const row of await used(rows.slice(i, i + MOST_METERED)))
          yield csvLine(columns.map((column) => csvCell(row[column as keyof AdminUsage])));
  }
  const day = new Date().toISOString().slice(0, 10);
  return {
    status: 200 as const,
    content_type: 'text/csv; charset=utf-8',
    headers: { 'Content-Disposition': `attachment; filename="usage-${day}.csv"` },
    stream: lines(),
  };
}
