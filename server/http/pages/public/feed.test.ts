import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderPage } from '../../../../console/public/render';
import { insertApp, insertCvm, insertHost, insertRevision, type TestApp } from '../../../testing/cvmFixtures';
import { startTestServer, type TestServer } from '../../../testing/server';
import { createRateLimits } from '../../rateLimits';
import { mountPublicPages } from './publicPages';

/** An app's feed, and the simulation notice at each of its URLs. */
let server: TestServer;
let http: Server;
let origin: string;
let app: TestApp['app'];
const OWNER = `0x${'ab'.repeat(20)}`;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  await server.register();
  const { services, database } = server;
  const { db } = services;
  const site = express();
  const renderer = { render: renderPage, style: null, font: null, script: '/s.js' };
  mountPublicPages(site, renderer, services, createRateLimits(services.config, database.pool));
  http = createServer(site).listen(0, '127.0.0.1');
  await new Promise((resolve) => http.once('listening', resolve));
  origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;

  const team = await db.selectFrom('teams').select('id').executeTakeFirstOrThrow();
  const host = await insertHost(db, { chain_id: 8453 });
  const compose = (image: string) => `services:\n  web:\n    image: ${image}\n`;
  const made = await insertApp(db, { team_id: team.id, host, name: 'fed', compose: compose('nginx:1') });
  ({ app } = made);
  const cvm = await insertCvm(db, { ...made, host, change: { listed: true, status: 'stopped' } });
  const next = await insertRevision(db, {
    app,
    number: 2,
    name: 'fed',
    compose: compose('nginx:2 # <b>\u0007'),
  });
  await db.updateTable('cvms').set({ revision_id: next.id }).where('id', '=', cvm.id).execute();
  const index = await db
    .insertInto('contract_indexes')
    .values({ chain_id: 8453, address: `0x${app.app_id}` })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('contract_events')
    .values({
      contract_id: index.id,
      kind: 'OwnershipTransferred',
      value: OWNER,
      tx_hash: `0x${'cd'.repeat(32)}`,
      block_number: 1,
      log_index: 0,
      block_hash: `0x${'b'.repeat(64)}`,
      sender: `0x${'5'.repeat(40)}`,
      at: new Date(Date.now() + 60_000),
    })
    .execute();
});
afterAll(async () => {
  http?.close();
  await server?.stop();
});

const open = async (path: string) => {
  const answer = await fetch(origin + path, { headers: { accept: 'text/html' } });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text();
};
const feed = () => open(`/explorer/${app.app_id}/feed.atom`);

describe('the feed', () => {
  it('has an entry for each version, with its changes, and for a new owner', async () => {
    const text = await feed();
    const entries = [...text.matchAll(/<entry>.*?<\/entry>/gs)].map(([entry]) => entry);
    const [owner = '', second = '', first = ''] = entries;
    expect(entries).toHaveLength(3);
    expect(owner).toContain(`Owner ${OWNER}`);
    expect(second).toContain('-     image: nginx:1\n+     image: nginx:2 # &lt;b&gt;\ufffd');
    expect(second).toContain(`/explorer/${app.app_id}/versions/2"`);
    expect(first).toContain('Compose hash');
    expect(first).not.toContain('Compared');
  });

  it('has the newest entry’s update time', async () => {
    const [all, newest] = [...(await feed()).matchAll(/<updated>(.*?)<\/updated>/g)].map(([, at]) => at);
    expect(all).toBe(newest);
  });

  it('answers 304 to a reader with the current version', async () => {
    const address = `${origin}/explorer/${app.app_id}/feed.atom`;
    const etag = (await fetch(address)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    expect((await fetch(address, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await fetch(address, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it('states the result of this server’s check', async () => {
    expect(await feed()).toContain('This server’s own verification says “not running”.');
  });
});

it.each(['', '/versions/2', '/feed.atom', 'widget', 'list'])(
  'says if the app is simulated: %s',
  async (at) => {
    const page =
      { widget: `/widget/app/${app.app_id}`, list: '/explorer' }[at] ?? `/explorer/${app.app_id}${at}`;
    expect(await open(page)).toMatch(/simulated: no TEE hardware/i);
  },
);
