import type { StreamReply } from '../../types';

const PDF = { extension: 'pdf', type: 'application/pdf' };

/** Returns a document as a download. @param name without its extension @param etag if its bytes never change */
export const fileReply = (
  name: string,
  content: Buffer,
  etag?: string,
  { extension, type } = PDF,
): StreamReply => ({
  status: 200,
  content_type: type,
  headers: {
    'Content-Disposition': `attachment; filename="${name}.${extension}"`,
    'Content-Length': String(content.length),
    ...(etag !== undefined && { ETag: etag }),
  },
  stream: once(content),
});

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}
