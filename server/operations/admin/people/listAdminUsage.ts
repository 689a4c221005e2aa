import { adminExport } from '../../../db/adminExport';
import { adminList } from '../../../db/adminList';
import { adminUsage, type AdminUsageRow } from '../../../db/adminUsage';
import { adminUsageOut } from '../../../domain/wire/adminPeople';
import { meteredOf } from '../../metrics/readUsage';
import { usageWindow } from '../../metrics/window';
import type { Handler } from '../../types';
import { csvFile } from '../csvFile';
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
  if (query.format === 'csv')
    return csvFile(ctx, {
      name: 'usage',
      columns: columnsOf(query.columns, adminUsage.fields),
      query,
      // A batch at a time: what it cost is worked out as it goes.
      async *batches() {
        for await (const rows of adminExport(ctx.db, adminUsage, asked))
          for (let i = 0; i < rows.length; i += MOST_METERED) yield used(rows.slice(i, i + MOST_METERED));
      },
    });
  const last = Math.min(asked.last, asked.first + MOST_METERED - 1);
  const { rows, total } = await adminList(ctx.db, adminUsage, { ...asked, last });
  return {
    status: 200,
    headers: { 'Content-Range': contentRange('usage', asked.first, rows.length, total) },
    body: await used(rows),
  };
};
