import type { StreamReply } from '../types';

/**
 * Returns a CSV file as a download. `name` has no extension; characters unsafe in file names become dashes.
 */
export const attachment = (name: string, rows: AsyncIterable<string>): StreamReply => ({
  status: 200,
  content_type: 'text/csv; charset=utf-8',
  headers: { 'Content-Disposition': `attachment; filename="${name.replaceAll(/[^\w.-]+/g, '-')}.csv"` },
  stream: rows,
});
