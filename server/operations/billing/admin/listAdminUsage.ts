import { adminExport } from '../../../db/core/adminExport';
import { adminList } from '../../../db/core/adminList';
import { adminUsage, type AdminUsageRow } from '../../../db/billing/adminUsage';
import { adminUsageOut } from '../../../domain/accounts/adminPeopleResponse';
import { meteredOf } from '../readUsage';
import { usageWindow } from '../../metrics/window';
import type { Handler } from '../../types';
import { csvFile } from '../../core/admin/csvFile';
import { columnsOf, contentRange, parseListQuery } from '../../core/admin/listQuery';

/** Rows per reply, since each is computed from its state history. */
const MAX_METERED = 200;

export const listAdminUsage: Handler<'listAdminUsage'> = async ({ query, ctx }) => {
  const window = usageWindow({});
  const used = async (rows: readonly AdminUsageRow[]) => {
    const ids = rows.map((row) => row.cvm_id);
    const figures = await meteredOf(ctx, ids, window);
    return rows.map((row, i) => adminUsageOut(row, figures[i] ?? { lines: [], amount_micros: 0 }));
  };
  const listQuery = parseListQuery(
    { ...query, sort: query.sort ?? '["created_at","DESC"]' },
    adminUsage.fields,
  );
  if (query.format === 'csv')
    return csvFile(ctx, {
      name: 'usage',
      columns: columnsOf(query.columns, adminUsage.fields, 'usage'),
      query,
      // One batch at a time: costs are computed while streaming.
      async *batches() {
        for await (const rows of adminExport(ctx.db, adminUsage, listQuery))
          for (let i = 0; i < rows.length; i += MAX_METERED) yield used(rows.slice(i, i + MAX_METERED));
      },
    });
  const last = Math.min(listQuery.last, listQuery.first + MAX_METERED - 1);
  const { rows, total } = await adminList(ctx.db, adminUsage, { ...listQuery, last });
  return {
    status: 200,
    headers: { 'Content-Range': contentRange('usage', listQuery.first, rows.length, total) },
    body: await used(rows),
  };
};
