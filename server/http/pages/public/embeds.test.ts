import type { Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertApp, insertCvm, insertHost } from '../../../testing/cvmFixtures';
import { startTestServer, type TestServer } from '../../../testing/server';
import { servePublicPages } from './testing/servePublicPages';

/** Embeds of a published app on other sites. */

let server: TestServer;
let http: Server;
let origin: string;
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  await server.register();
  ({ http, origin } = await servePublicPages(server));
});
afterAll(async () => {
  http?.close();
  await server?.stop();
});

const open = (path: string) => fetch(origin + path, { headers: { accept: 'text/html' } });
const textOf = async (path: string) => (await open(path)).text();

async function published(name: string, status: 'running' | 'stopped' = 'running') {
  const { db } = server.services;
  const team = await db.selectFrom('teams').select('id').executeTakeFirstOrThrow();
  const host = await insertHost(db, {});
  const app = await insertApp(db, { team_id: team.id, host, name });
  const cvm = await insertCvm(db, { ...app, host, change: { listed: true, status } });
  return { app: app.app, cvm };
}

it('lets other sites frame the widget and nothing else', async () => {
  const { db } = server.services;
  const { app } = await published('framed');
  const widget = await open(`/widget/app/${app.app_id}`);
  expect(widget.status).toBe(200);
  expect(widget.headers.get('x-frame-options')).toBeNull();
  expect(widget.headers.get('content-security-policy')).toContain('frame-ancestors *');
  expect(await widget.text()).toContain('<meta name="robots" content="noindex">');
  for (const path of [`/explorer/${app.app_id}`, '/about', '/explorer/nope']) {
    const page = await open(path);
    expect([path, page.headers.get('x-frame-options')]).toEqual([path, 'DENY']);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  }
  // A site still embedding the frame shows a line in it, the same for every ID.
  await db.updateTable('cvms').set({ listed: false }).where('app_id', '=', app.id).execute();
  const never = await textOf(`/widget/app/${'f'.repeat(40)}`);
  const gone = await open(`/widget/app/${app.app_id}`);
  expect(gone.status).toBe(404);
  expect(gone.headers.get('content-security-policy')).toContain('frame-ancestors *');
  const html = await gone.text();
  expect(html).toContain('Not published');
  expect(html).toBe(never.replaceAll('f'.repeat(40), app.app_id));
});

it('serves badges of published apps to any site', async () => {
  const { db } = server.services;
  const { app, cvm } = await published('badged', 'stopped');
  const path = `/explorer/${app.app_id}/badge`;
  const picture = await open(`${path}.svg`);
  expect(picture.headers.get('content-type')).toContain('image/svg+xml');
  expect(picture.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(await picture.text()).toContain('not running');
  expect(await (await open(`${path}.json`)).json()).toMatchObject({ message: 'not running' });
  await db.updateTable('cvms').set({ listed: false }).where('id', '=', cvm.id).execute();
  const gone = await open(`${path}.svg`);
  expect(gone.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  const shown = await gone.text();
  expect(shown).toContain('not published');
  expect(await textOf('/explorer/nope/badge.svg')).toBe(shown);
  expect(await (await open(`${path}.json`)).json()).toMatchObject({ message: 'not published' });
});
