import { readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { ROOT } from '../root';

/** The baseline for the admin area, built and served here, so that anyone can reproduce it from a clean clone. */

export interface Served {
  url: string;
  close(): Promise<void>;
}

/** Rows of a list, on both sides. */
export const ROWS = 25;

/**
 * Stock react-admin: `<Admin>` with one `<Resource list={ListGuesser}>` and ra-data-simple-rest, requesting the same
 * rows from the same server. Its own demo is not on npm and brings a fake server; this is the smallest possible
 * react-admin list.
 */
const BASELINE = `
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import { Admin, ListGuesser, Resource } from 'react-admin';
import simpleRestProvider from 'ra-data-simple-rest';

const List = () => h(ListGuesser, { perPage: ${ROWS} });
createRoot(document.getElementById('root')).render(
  h(Admin, { dataProvider: simpleRestProvider('/api/v1/admin') }, h(Resource, { name: 'nodes', list: List })),
);
`;
const PAGE =
  '<!doctype html><html lang="en"><head><title>react-admin</title><script type="module" src="./main.js"></script></head><body><div id="root"></div></body></html>';

/** Builds the baseline and serves it. Its API requests go to the real server with the session's cookie. */
export async function serveBaseline(work: string, api: string, session: string): Promise<Served> {
  await writeFile(path.join(work, 'main.js'), BASELINE);
  await writeFile(path.join(work, 'index.html'), PAGE);
  await symlink(path.join(ROOT, 'node_modules'), path.join(work, 'node_modules'));
  const { build } = await import('vite');
  const outDir = path.join(work, 'dist');
  await build({
    root: work,
    configFile: false,
    logLevel: 'error',
    build: { outDir, target: 'es2023', reportCompressedSize: false },
  });
  return serveFolder(outDir, { api, session });
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/**
 * Serves a built page from memory, compressed like our own files. `api`: target of its requests, and their
 * session.
 */
export async function serveFolder(folder: string, to?: { api: string; session: string }): Promise<Served> {
  const files = new Map<string, Buffer>();
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (file.isFile()) {
      const name = path.join(file.parentPath, file.name);
      files.set(name.slice(folder.length), await promisify(brotliCompress)(await readFile(name)));
    }
  const answer = (asked: IncomingMessage, reply: ServerResponse) => {
    const url = asked.url ?? '/';
    if (to && url.startsWith('/api/')) return passOn(to.api + url, to.session, reply);
    const name = url === '/' ? '/index.html' : url;
    const body = files.get(name);
    reply.writeHead(body ? 200 : 404, {
      'Content-Type': TYPES[path.extname(name)] ?? 'application/octet-stream',
      ...(body ? { 'Content-Encoding': 'br', 'Content-Length': body.length } : {}),
    });
    return reply.end(body);
  };
  const server = createServer((asked, reply) => void answer(asked, reply));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function passOn(url: string, cookie: string, reply: ServerResponse): void {
  const onward = request(url, { headers: { cookie, accept: 'application/json' } }, (from) => {
    reply.writeHead(from.statusCode ?? 502, from.headers);
    from.pipe(reply);
  });
  onward.on('error', () => reply.destroy());
  onward.end();
}
