import type { StreamReply } from '../../types';

/** Returns a PDF as a download. @param name without ".pdf" @param etag if its bytes never change */
export const fileReply = (name: string, content: Buffer, etag?: string): StreamReply => ({
  status: 200,
  content_type: 'application/pdf',
  headers: {
    'Content-Disposition': `attachment; filename="${name}.pdf"`,
    'Content-Length': String(content.length),
    ...(etag !== undefined && { ETag: etag }),
  },
  stream: once(content),
});

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}
