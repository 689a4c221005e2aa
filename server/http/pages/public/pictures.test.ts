import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEFAULT_SITE } from '../../../../console/lib/public/siteContent';
import { renderPage } from '../../../../console/public/render';
import { publicAppDetail } from '../../../operations/public/publicApp';
import { insertApp, insertCvm, insertHost, type TestHost } from '../../../testing/cvmFixtures';
import { startTestServer, type TestServer } from '../../../testing/server';
import { createRateLimits } from '../../rateLimits';
import { appPicture } from '../../../drivers/pictures';
import { GENERAL_PICTURE, mountPictures } from './pictures';

let server: TestServer;
let http: Server;
let origin: string;
let host: TestHost;
/** Names of the rendered images. */
const drawn: string[] = [];
/** Set by tests that control when images are ready. */
let held: Promise<void> | null = null;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  await server.register();
  const { services, database } = server;
  const app = express();
  host = await insertHost(services.db, {});
  mountPictures(app, services, createRateLimits(services.config, database.pool), async (shown) => {
    drawn.push(shown.name);
    await held;
    return appPicture(shown);
  });
  app.use((_req, res) => void res.status(418).send('console'));
  http = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => http.once('listening', resolve));
  origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterAll(async () => {
  http?.close();
  await server?.stop();
});

async function published(name: string) {
  const { db } = server.services;
  const team = await db.selectFrom('teams').select('id').executeTakeFirstOrThrow();
  const made = await insertApp(db, { team_id: team.id, host, name });
  const cvm = await insertCvm(db, { ...made, host, change: { listed: true } });
  return { app: made.app, cvm, url: `${origin}/explorer/${made.app.app_id}/picture.png` };
}
const ask = (url: string) => fetch(url, { redirect: 'manual' });

it('each published app has its own link preview image, rendered once', async () => {
  const { services } = server;
  const { db, config } = services;
  const { app, cvm, url } = await published(`<b>&${'W'.repeat(120)}\u202e世界`);
  const { picture } = renderPage({
    page: { page: 'app', app: await publicAppDetail(services, app.app_id, '') },
    path: '/',
    public_url: config.publicUrl,
    signed_in: false,
    can_register: true,
    agent_framework: 'eliza',
    security_contact: null,
    hosts: { has_hardware: true, is_open: true },
    has_mail: true,
    site: DEFAULT_SITE,
  });
  expect(origin + (picture ?? '')).toBe(url);
  const read = async () => Buffer.from(await (await ask(url)).arrayBuffer());
  drawn.length = 0;
  const answer = await ask(url);
  expect(answer.headers.get('content-type')).toBe('image/png');
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
  expect((await read()).equals(bytes)).toBe(true);
  expect(drawn).toHaveLength(1);
  await db.updateTable('apps').set({ name: 'short' }).where('id', '=', app.id).execute();
  expect((await read()).equals(bytes)).toBe(false);
  // The name is only part of the rendered content.
  const renamed = await read();
  await db.updateTable('teepods').set({ kind: 'dstack_vmm' }).where('id', '=', host.teepod.id).execute();
  expect((await read()).equals(renamed)).toBe(false);
  await db.updateTable('teepods').set({ kind: 'local' }).where('id', '=', host.teepod.id).execute();
  await db.updateTable('cvms').set({ listed: false }).where('id', '=', cvm.id).execute();
  expect((await ask(url)).status).toBe(418);
});

it('two are rendered at a time; other previews get the generic image in the meantime', async () => {
  const apps = await Promise.all(['first', 'second', 'third'].map(published));
  let release: () => void = () => undefined;
  held = new Promise((resolve) => (release = resolve));
  drawn.length = 0;
  const [first, second, third] = apps.map(({ url }) => url) as [string, string, string];
  // One is requested twice and rendered once.
  const waiting = Promise.all([first, first, second].map(ask));
  await expect.poll(() => drawn.length).toBe(2);
  const other = await ask(third);
  expect([other.status, other.headers.get('location')]).toEqual([302, GENERAL_PICTURE]);
  expect(other.headers.get('cache-control')).toBe('no-store');
  release();
  held = null;
  expect((await waiting).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await ask(third)).status).toBe(200);
  expect(drawn.sort()).toEqual(['first', 'second', 'third']);
});
