import { csvLine } from '../../../../console/lib/texts/csv';
import type { Context } from '../../types';
import { createDownloadSlots } from '../downloadSlots';
import { csvCell } from './csvCell';
import type { RawListQuery } from './listQuery';
import { addNames, headingOf } from './names';
import { ownValue } from '../../../../console/lib/ownValue';

/** Few: each file holds a pool connection until its reader has received all of it. */
const takeSlot = createDownloadSlots({ most: 3 });

interface CsvFile {
  /** As in the list's path: "instance-types". */
  name: string;
  columns: readonly string[];
  /** The request's query, for the audit log. */
  query: RawListQuery;
  /** The records in batches, as they are sent. */
  batches: () => AsyncIterable<readonly object[]>;
}

/**
 * Returns a list as a file, streamed at the reader's pace. The export is audited before the first row is
 * sent.
 */
export async function csvFile(ctx: Context, { name, columns, query, batches }: CsvFile) {
  const slot = takeSlot(ctx.signal);
  await ctx.write(({ audit }) =>
    audit({
      action: 'admin.export',
      target_kind: 'admin_list',
      target_id: name,
      team_id: null,
      after: { filter: query.filter ?? '{}', sort: query.sort ?? null, columns: [...columns] },
    }),
  );
  async function* lines() {
    slot.begin();
    try {
      yield csvLine(columns.map(headingOf));
      for await (const batch of batches())
        yield (await addNames(ctx, name, columns, batch))
          .map((row) => {
            const cells = row as Record<string, unknown>;
            return csvLine(columns.map((column) => csvCell(ownValue(cells, column))));
          })
          .join('');
    } finally {
      slot.leave();
    }
  }
  const day = new Date().toISOString().slice(0, 10);
  return {
    status: 200 as const,
    content_type: 'text/csv; charset=utf-8',
    headers: { 'Content-Disposition': `attachment; filename="${name.replaceAll('/', '-')}-${day}.csv"` },
    stream: lines(),
  };
}
