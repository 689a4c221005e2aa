import { csvLine } from '../../../console/lib/texts/csv';
import { ownValue } from '../../../console/lib/ownValue';
import type { Context, StreamReply } from '../types';
import { attachment } from '../metrics/attachment';
import { teamOf } from './caller';
import { createDownloadSlots } from './downloadSlots';

/** Maximum time to read a file. */
const MAX_MS = 60 * 60_000;

/** Each is a series of queries. */
const takeSlot = createDownloadSlots({ most: 8, perOwner: 2, most_ms: MAX_MS });

type Cell = string | number | boolean | null;
type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

/** Columns with a row's fields of the same names. */
export const fieldColumns = <Name extends string>(...names: readonly Name[]): Columns<Record<Name, Cell>> =>
  Object.fromEntries(names.map((name) => [name, (row: Record<Name, Cell>) => ownValue(row, name) ?? null]));

interface DataFile<Row> {
  /** What it contains, for its name: "events". */
  what: string;
  format: 'csv' | 'jsonl';
  /** Of CSV. JSON Lines have the whole rows. */
  columns: Columns<Row>;
  /** Small: several may wait for a slow reader. */
  batches: AsyncIterable<readonly Row[]>;
}

/**
 * Returns a team's data as a file, streamed in batches at the reader's pace, for at most an hour.
 * @throws RATE_LIMITED while the team, or several others, are exporting
 */
export function dataFile<Row extends object>(
  ctx: Context,
  { what, format, columns, batches }: DataFile<Row>,
): StreamReply {
  const { id, slug } = teamOf(ctx);
  const slot = takeSlot(ctx.signal, id);
  async function* pieces() {
    slot.begin();
    try {
      if (format === 'csv') yield csvLine(Object.keys(columns));
      const line = format === 'csv' ? csvOf(columns) : (row: Row) => `${JSON.stringify(row)}\n`;
      for await (const rows of batches) {
        slot.check();
        if (rows.length > 0) yield rows.map(line).join('');
      }
    } finally {
      slot.leave();
    }
  }
  const kind =
    format === 'csv'
      ? { extension: 'csv', type: 'text/csv; charset=utf-8' }
      : { extension: 'jsonl', type: 'application/x-ndjson; charset=utf-8' };
  const day = new Date().toISOString().slice(0, 10);
  return { ...attachment(`${slug}-${what}-${day}`, pieces(), kind), until: slot.over };
}

function csvOf<Row>(columns: Columns<Row>): (row: Row) => string {
  const cells = Object.values(columns);
  return (row) =>
    csvLine(
      cells.map((cell) => {
        const value = cell(row);
        return typeof value === 'boolean' ? String(value) : value;
      }),
    );
}
