import { csvLine } from '../../domain/csv';
import { Problem } from '../../domain/problem';
import type { Context } from '../types';
import { csvCell } from './csvCell';
import type { RawListQuery } from './listQuery';

/** Files at once in this process: each takes a connection of the pool until its reader has all of it. */
const MOST_FILES = 3;
let files = 0;

interface CsvFile {
  /** As in the address of the list: "instance-types". */
  name: string;
  columns: readonly string[];
  /** What was asked for, for the audit log. */
  query: RawListQuery;
  /** The records by batches, as they go out. */
  batches: () => AsyncIterable<readonly object[]>;
}

/** A list as a file, at the reader's pace. Taking data away leaves an audit entry, before the first row goes out. */
export async function csvFile(ctx: Context, { name, columns, query, batches }: CsvFile) {
  const place = takePlace(ctx.signal);
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
    place.begin();
    try {
      yield csvLine(columns);
      for await (const rows of batches())
        yield rows
          .map((row) => {
            const cells = row as Record<string, unknown>;
            return csvLine(columns.map((column) => csvCell(cells[column])));
          })
          .join('');
    } finally {
      place.leave();
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

/**
 * Taken before anything is waited for, so that requests at once count each other. It is left with the last line, or with
 * the response when not one line was asked for.
 */
function takePlace(signal: AbortSignal): { begin: () => void; leave: () => void } {
  if (files >= MOST_FILES)
    throw new Problem('RATE_LIMITED', {
      message: `${MOST_FILES} other lists are being written to files right now.`,
      retryAfter: 10,
    });
  files++;
  let state: 'waiting' | 'writing' | 'left' = 'waiting';
  const leave = () => {
    if (state !== 'left') files--;
    state = 'left';
  };
  const closed = () => {
    if (state === 'waiting') leave();
  };
  signal.addEventListener('abort', closed, { once: true });
  if (signal.aborted) closed();
  return {
    begin() {
      if (state === 'left') throw signal.reason;
      state = 'writing';
    },
    leave,
  };
}
