import { adminExport } from '../../../db/core/adminExport';
import { adminList } from '../../../db/core/adminList';
import { adminUsage, keysSpent, ordersCharged, type AdminUsageRow } from '../../../db/billing/adminUsage';
import { adminUsageOut } from '../../../domain/accounts/adminAccountResponse';
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
    const idsOf = (kind: AdminUsageRow['kind']) =>
      rows.filter((row) => row.kind === kind).map(({ row_id }) => row_id);
    const cvms = idsOf('cvm');
    const [metered, keys, orders] = await Promise.all([
      meteredOf(ctx, cvms, window),
      keysSpent(ctx.db, idsOf('ai_key')),
      ordersCharged(ctx.db, idsOf('order')),
    ]);
    const byCvm = new Map(cvms.map((id, i) => [id, metered[i]]));
    return rows.map((row) => {
      const of = row.kind === 'ai_key' ? keys : orders;
      const other = { lines: [], amount_micros: of.get(row.row_id) ?? 0 };
      return adminUsageOut(row, (row.kind === 'cvm' ? byCvm.get(row.row_id) : undefined) ?? other);
    });
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
