import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as it went over the wire, and how it was answered. */
export interface Recorded {
  method: string;
  /** Below /api/v1, with its query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** The body read as JSON, or as it is; undefined without one. */
  body: unknown;
  status: number;
  reply: unknown;
}

export interface Recorder {
  /** Base URL with /api/v1, as clients take it. */
  prefix: string;
  /** In the order they were answered. Streams are there when they end. */
  seen: Recorded[];
  /** `METHOD path` of everything since the last call. */
  take(): Recorded[];
  close(): Promise<void>;
}

/** Passes everything on to the server, byte for byte in both directions, and remembers it. */
export async function record(target: string): Promise<Recorder> {
  const seen: Recorded[] = [];
  const proxy = createServer((from, to) => {
    const sent: Buffer[] = [];
    const answered: Buffer[] = [];
    const onward = request(
      new URL(from.url ?? '/', target),
      { method: from.method, headers: from.headers },
      (reply) => {
        to.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.on('data', (chunk: Buffer) => answered.push(chunk));
        reply.once('close', () =>
          seen.push({
            method: from.method ?? '',
            path: (from.url ?? '').replace(/^\/api\/v1/, ''),
            headers: from.headers,
            body: read(sent),
            status: reply.statusCode ?? 0,
            reply: read(answered),
          }),
        );
        reply.pipe(to);
      },
    );
    from.on('data', (chunk: Buffer) => sent.push(chunk));
    from.pipe(onward);
    onward.once('error', () => to.destroy());
    // A client that goes away ends the stream it was reading, as it would without anything in between.
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

function read(chunks: Buffer[]): unknown {
  if (chunks.length === 0) return undefined;
  const text = Buffer.concat(chunks).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
