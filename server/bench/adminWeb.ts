import { chromium, type Browser } from '@playwright/test';
import { sql } from 'kysely';
import { readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { createDb } from '../db/client';
import { ROOT } from '../root';
import { findChromium } from '../tools/system';
import { kb, median, ms, type Options, type Part, type Row } from './report';
import { seed } from './seed';
import { hasPages, removeDir, serverCommand, startServerProcess, temporaryDir } from './serverProcess';
import { open, type Opened, type PageToOpen } from './web';

const ROWS = 25;
const RUNS = 7;

/**
 * react-admin as it comes: `<Admin>` with one `<Resource list={ListGuesser}>` and ra-data-simple-rest, asking the same server
 * for the same rows. Its own demo is not on npm and brings a fake server; this is the least that a react-admin list can be.
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

/** JavaScript to the first list of the admin area and the time to its 25 rows, beside react-admin as it comes. */
export async function adminWeb(options: Options): Promise<Part> {
  const title = 'Admin in the browser';
  const executablePath = findChromium();
  const { built } = await serverCommand();
  if (!built || !executablePath || !hasPages('admin'))
    return { title, how: 'the apps are not built, or no Chromium is installed', rows: [] };
  const [dataDir, work] = [await temporaryDir(), await temporaryDir()];
  const server = await startServerProcess(dataDir, { LOCAL_TEEPOD: 'off' });
  try {
    const database = await server.database();
    const { session } = await seed(server.url, createDb(database.pool), 2);
    await sql`insert into nodes (name, region) select 'node-' || i, 'eu-west' from generate_series(1, ${ROWS + 10}::int) i`.execute(
      createDb(database.pool),
    );
    await database.stop();
    const baseline = await serveBaseline(work, server.url, session);
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      const own: Opened[] = [];
      const plain: Opened[] = [];
      // In turns, so that whatever else the machine does befalls both.
      for (let i = 0; i < (options.quick ? 1 : RUNS); i++) {
        own.push(await opened(browser, server.url, session, OWN));
        plain.push(await opened(browser, baseline.url, null, PLAIN));
        options.say(`run ${i + 1}`);
      }
      return {
        title,
        how: `Chromium ${browser.version()} with an empty cache, the same server and the same ${ROWS} rows, in turns. The baseline is plain react-admin from npm: <Admin>, one <Resource> with ListGuesser, ra-data-simple-rest, a production build, served with brotli.`,
        rows: [
          ...rowsOf('admin area', own, 'not more than react-admin with its demo'),
          ...rowsOf('plain react-admin', plain),
        ],
      };
    } finally {
      await browser.close();
      await baseline.close();
    }
  } finally {
    await server.stop();
    await removeDir(dataDir);
    await removeDir(work);
  }
}

type Target = Pick<PageToOpen, 'path' | 'shown'>;
const OWN: Target = {
  path: '/admin/infra/nodes',
  shown: { selector: 'tbody a[href*="/admin/infra/nodes/"]', count: ROWS },
};
const PLAIN: Target = { path: '/#/nodes', shown: { selector: 'tbody tr', count: ROWS } };

async function opened(
  browser: Browser,
  url: string,
  session: string | null,
  target: Target,
): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    return await open(context, url, session, target);
  } finally {
    await context.close();
  }
}

function rowsOf(what: string, all: readonly Opened[], aim?: string): Row[] {
  const [first] = all;
  if (!first) return [];
  return [
    {
      what: `JavaScript to the first list, ${what}`,
      figures: `${kb(first.bytes)} in ${first.files} files (${kb(first.bytesQuiet)})`,
      ...(aim === undefined ? {} : { aim }),
    },
    { what: `time to ${ROWS} rows, ${what}`, figures: ms(median(all.map((one) => one.shownMs))) },
  ];
}

/** Builds the baseline and serves it; what it asks of the API goes to the real server, as the person of the session. */
async function serveBaseline(work: string, api: string, session: string) {
  await writeFile(path.join(work, 'main.js'), BASELINE);
  await writeFile(path.join(work, 'index.html'), PAGE);
  await symlink(path.join(ROOT, 'node_modules'), path.join(work, 'node_modules'));
  const { build } = await import('vite');
  await build({
    root: work,
    configFile: false,
    logLevel: 'error',
    build: { outDir: path.join(work, 'dist'), target: 'es2023', reportCompressedSize: false },
  });
  const files = new Map<string, Buffer>();
  for (const file of await readdir(path.join(work, 'dist'), { recursive: true, withFileTypes: true }))
    if (file.isFile()) {
      const name = path.join(file.parentPath, file.name);
      files.set(
        name.slice(path.join(work, 'dist').length),
        await promisify(brotliCompress)(await readFile(name)),
      );
    }
  const answer = (asked: IncomingMessage, reply: ServerResponse) => {
    const url = asked.url ?? '/';
    if (url.startsWith('/api/')) {
      const onward = request(
        api + url,
        { headers: { cookie: session, accept: 'application/json' } },
        (from) => {
          reply.writeHead(from.statusCode ?? 502, from.headers);
          from.pipe(reply);
        },
      );
      onward.on('error', () => reply.destroy());
      return onward.end();
    }
    const name = url === '/' ? '/index.html' : url;
    const body = files.get(name);
    const type = name.endsWith('.js') ? 'text/javascript' : name.endsWith('.css') ? 'text/css' : 'text/html';
    reply.writeHead(body ? 200 : 404, {
      'Content-Type': type,
      ...(body ? { 'Content-Encoding': 'br', 'Content-Length': body.length } : {}),
    });
    return reply.end(body);
  };
  const proxy = createServer((asked, reply) => void answer(asked, reply));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        proxy.closeAllConnections();
        proxy.close(() => resolve());
      }),
  };
}
