import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, constants, gunzipSync } from 'node:zlib';

/** One request as sent over the wire, and its reply's status. */
export interface Recorded {
  method: string;
  /** Below /api/v1, with its query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** The body parsed as JSON, or as text; undefined without one. */
  body: unknown;
  status: number;
  reply: unknown;
}

export interface Recorder {
  /** Base URL with /api/v1, as clients expect it. */
  prefix: string;
  /** In reply order. Streams appear when they end. */
  seen: Recorded[];
  /** `METHOD path` of every request since the last call. */
  take(): Recorded[];
  close(): Promise<void>;
}

/**
 * Forwards everything to the server byte for byte in both directions, and records it. @param statusOf overrides
 * the status that clients see, to emulate a faulty server
 */
export async function record(
  target: string,
  statusOf = (status: number): number => status,
): Promise<Recorder> {
  const seen: Recorded[] = [];
  const proxy = createServer((from, to) => {
    const sent: Buffer[] = [];
    const answered: Buffer[] = [];
    const onward = request(
      new URL(from.url ?? '/', target),
      { method: from.method, headers: from.headers },
      (reply) => {
        to.writeHead(statusOf(reply.statusCode ?? 502), reply.headers);
        reply.on('data', (chunk: Buffer) => answered.push(chunk));
        reply.once('close', () =>
          seen.push({
            method: from.method ?? '',
            path: (from.url ?? '').replace(/^\/api\/v1/, ''),
            headers: from.headers,
            body: read(sent),
            status: reply.statusCode ?? 0,
            reply: read([decoded(Buffer.concat(answered), reply.headers['content-encoding'])]),
          }),
        );
        reply.pipe(to);
      },
    );
    from.on('data', (chunk: Buffer) => sent.push(chunk));
    from.pipe(onward);
    onward.once('error', () => to.destroy());
    // A client that disconnects ends the stream it was reading, as it would without a proxy.
    to.once('close', () => onward.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    prefix: `http://127.0.0.1:${port}/api/v1`,
    seen,
    take: () => seen.splice(0),
    close: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };
}

/** Returns the decompressed body, as far as it arrived. */
function decoded(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'gzip') return gunzipSync(body, { finishFlush: constants.Z_SYNC_FLUSH });
  if (encoding === 'br') return brotliDecompressSync(body, { finishFlush: constants.BROTLI_OPERATION_FLUSH });
  return body;
}

function read(chunks: Buffer[]): unknown {
  const bytes = Buffer.concat(chunks);
  if (bytes.length === 0) return undefined;
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
