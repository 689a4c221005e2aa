import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createReadStream, existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';

/**
 * A server that ignores the API document: it stores rows of any resource in memory, uses the admin lists' wire
 * format, and serves a built admin area. Used for resources the real server has no handlers for.
 */

export interface StandIn {
  url: string;
  /** Bodies of write requests, keyed by `METHOD /path`. */
  written: Record<string, unknown>;
  close(): Promise<void>;
}

type RowData = { id: number } & Record<string, unknown>;

const TYPES: Record<string, string> = {
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  html: 'text/html; charset=utf-8',
};

export async function startStandIn(
  dist: string,
  { session, rows }: { session: unknown; rows: Record<string, RowData[]> },
): Promise<StandIn> {
  const written: Record<string, unknown> = {};
  const send = (
    reply: ServerResponse,
    status: number,
    body: unknown,
    headers: Record<string, string> = {},
  ) => {
    reply.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    reply.end(body === undefined ? '' : JSON.stringify(body));
  };
  const file = (reply: ServerResponse, name: string) => {
    const path = join(dist, normalize(name));
    if (!existsSync(path)) return send(reply, 404, { detail: 'No such file.' });
    reply.writeHead(200, {
      'Content-Type': TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
    });
    createReadStream(path).pipe(reply);
  };
  const answer = async (request: IncomingMessage, reply: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://stand.in');
    const method = request.method ?? 'GET';
    if (pathname === '/api/v1/session') return send(reply, 200, session);
    const [, resource = '', id] = /^\/api\/v1\/admin\/([a-z-]+)(?:\/(\d+))?$/.exec(pathname) ?? [];
    if (resource === '') return file(reply, pathname.startsWith('/assets/') ? pathname : 'admin/index.html');
    const all = (rows[resource] ??= []);
    if (method === 'POST') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
      written[`${method} ${pathname}`] = body;
      const row = { id: all.length + 1, ...body };
      all.push(row);
      return send(reply, 201, row);
    }
    if (id !== undefined) {
      const row = all.find((one) => one.id === Number(id));
      return row ? send(reply, 200, row) : send(reply, 404, { detail: 'There is none.' });
    }
    const range = all.length === 0 ? '*' : `0-${all.length - 1}`;
    return send(reply, 200, all, { 'Content-Range': `${resource} ${range}/${all.length}` });
  };
  const server = createServer((request, reply) => void answer(request, reply));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    written,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
