import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { renderPage } from '../../../../console/public/render';
import { publicAppDetail } from '../../../operations/public/publicApp';
import { insertApp, insertCvm, insertHost } from '../../../testing/cvmFixtures';
import { startTestServer, type TestServer } from '../../../testing/server';
import { createRateLimits } from '../../rateLimits';
import { mountPictures } from './pictures';

let server: TestServer;
let http: Server;
let origin: string;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  await server.register();
  const { services, database } = server;
  const app = express();
  mountPictures(app, services, createRateLimits(services.config, database.pool));
  app.use((_req, res) => void res.status(418).send('console'));
  http = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => http.once('listening', resolve));
  origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterAll(async () => {
  http?.close();
  await server?.stop();
});

it('each published app has a picture of its own for link previews', async () => {
  const { services } = server;
  const { db, config } = services;
  const team = await db.selectFrom('teams').select('id').executeTakeFirstOrThrow();
  const host = await insertHost(db, {});
  const name = `<b>&${'W'.repeat(120)}\u202e世界`;
  const app = await insertApp(db, { team_id: team.id, host, name });
  const cvm = await insertCvm(db, { ...app, host, change: { listed: true } });
  const path = `/explorer/${app.app.app_id}/picture.png`;
  const { picture } = renderPage({
    page: { page: 'app', app: await publicAppDetail(services, app.app.app_id, '') },
    path: '/',
    public_url: config.publicUrl,
    signed_in: false,
    agent_framework: 'eliza',
    security_contact: null,
  });
  expect(picture).toBe(path);
  const read = async () => Buffer.from(await (await fetch(origin + path)).arrayBuffer());
  const answer = await fetch(origin + path);
  expect(answer.headers.get('content-type')).toBe('image/png');
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
  expect((await read()).equals(bytes)).toBe(true);
  await db.updateTable('apps').set({ name: 'short' }).where('id', '=', app.app.id).execute();
  expect((await read()).equals(bytes)).toBe(false);
  await db.updateTable('cvms').set({ listed: false }).where('id', '=', cvm.id).execute();
  expect((await fetch(origin + path)).status).toBe(418);
});
