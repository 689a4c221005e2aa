import type { StreamReply } from '../types';

/** A CSV file to be saved. `name` without its end; what no file system likes becomes a dash. */
export const attachment = (name: string, rows: AsyncIterable<string>): StreamReply => ({
  status: 200,
  content_type: 'text/csv; charset=utf-8',
  headers: { 'Content-Disposition': `attachment; filename="${name.replaceAll(/[^\w.-]+/g, '-')}.csv"` },
  stream: rows,
});

export async function* asStream(lines: Iterable<string>): AsyncGenerator<string> {
  yield* lines;
}
