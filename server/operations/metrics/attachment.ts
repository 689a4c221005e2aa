import type { StreamReply } from '../types';

/** Returns a file as a download, CSV by default. `name` has no extension; characters unsafe in file names become dashes. */
export const attachment = (
  name: string,
  pieces: AsyncIterable<string | Uint8Array>,
  { extension, type } = { extension: 'csv', type: 'text/csv; charset=utf-8' },
): StreamReply => ({
  status: 200,
  content_type: type,
  headers: {
    'Content-Disposition': `attachment; filename="${name.replaceAll(/[^\w.-]+/g, '-')}.${extension}"`,
  },
  stream: pieces,
});
