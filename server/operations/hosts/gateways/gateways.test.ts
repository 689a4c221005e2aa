import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminGateway, AdminGatewayStatus } from '../../../../generated/api/types.gen';
import { identityOf, insertApp, insertCvm, insertHost } from '../../../testing/cvmFixtures';
import type { TestClient, TestServer } from '../../../testing/server';
import { problemOf, startAdminTest, unique, type AdminTest } from '../../core/admin/testing/admin';

const TOKEN = 'gateway-admin-token';
const INSTANCE = '8f1d3c5b7a9e0d2c4b6a8f1e3d5c7b9a0f2e4d6c';

let server: TestServer;
let admin: TestClient;
let member: TestClient;
let audits: AdminTest['audits'];
let gateway: Server;
let url: string;
/** Replies by method; a string is an error. */
let replies: Record<string, object | string>;
let asked: string[] = [];

beforeAll(async () => {
  ({ server, admin, member, audits } = await startAdminTest());
  gateway = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://gateway');
    const method = pathname.replace('/prpc/', '');
    asked.push(method);
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return void response.writeHead(401).end();
    const reply = replies[method] ?? `Service not found: ${method}`;
    if (typeof reply === 'string') return void response.writeHead(400).end(JSON.stringify({ error: reply }));
    response.end(JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await server?.stop();
  gateway?.closeAllConnections();
  gateway?.close();
});

const create = async (body: Record<string, unknown> = {}) =>
  admin.call('createAdminGateway', {
    body: { base_domain: `${unique('gw').toLowerCase()}.example.test`, ...body },
  });
const made = async (body: Record<string, unknown> = {}) => {
  const reply = await create(body);
  expect([reply.status, reply.body]).toMatchObject([201, {}]);
  return reply.body as AdminGateway;
};
const status = async ({ id }: AdminGateway) =>
  (await admin.call('getAdminGatewayStatus', { path: { id } })).body as AdminGatewayStatus;

it('is stored with a sealed token that is never returned, nor sent to another server', async () => {
  const { db, seal } = server.services;
  const kept = await made({ url, credential: TOKEN });
  expect(kept).toMatchObject({ url, has_credential: true, teepod_count: 0 });
  const row = await db.selectFrom('gateways').selectAll().where('id', '=', kept.id).executeTakeFirstOrThrow();
  expect(seal.open('gateway-credential', row.sealed_credential ?? '')).toBe(TOKEN);
  const patch = (body: Record<string, unknown>) =>
    admin.call('updateAdminGateway', { path: { id: kept.id }, body });
  const moved = await patch({ url: 'http://10.1.2.3:8011' });
  expect([moved.status, problemOf(moved.body).detail.details[0]?.field]).toEqual([422, 'credential']);
  expect((await patch({ url: `${url}/` })).body).toMatchObject({ has_credential: true });
  expect((await patch({ credential: 'another-token' })).status).toBe(200);
  expect((await patch({ credential: null })).body).toMatchObject({ has_credential: false });
  const trail = JSON.stringify([row, await audits('gateway', kept.id)]);
  expect(trail).not.toContain(TOKEN);
  expect(trail).not.toContain('another-token');
  expect((await audits('gateway', kept.id)).at(-1)?.after).toEqual({ credential: null });

  expect((await patch({ base_domain: kept.base_domain })).status).toBe(200);
  expect((await audits('gateway', kept.id)).at(-1)?.after).toEqual({ credential: null });

  expect((await create({ base_domain: kept.base_domain })).status).toBe(409);
  expect((await create({ credential: TOKEN })).status).toBe(422);
  const path = { id: kept.id };
  expect((await member.call('getAdminGatewayStatus', { path })).status).toBe(403);
  expect((await admin.call('deleteAdminGateway', { path })).status).toBe(204);
  expect((await admin.call('getAdminGatewayStatus', { path })).status).toBe(404);
});

it('shows connections, CVMs, nodes and certificates without requesting credentials', async () => {
  const { db } = server.services;
  const host = await insertHost(db);
  const { team_id } = await identityOf(db, member.email ?? '');
  const app = await insertApp(db, { team_id, host, name: unique('routed') });
  const cvm = await insertCvm(db, { ...app, host, change: { instance_id: INSTANCE } });
  const seen = Math.floor(Date.now() / 1000);
  const instance = { app_id: 'ab'.repeat(20), ip: '10.0.0.2', base_domain: 'x', num_connections: 3 };
  replies = {
    Status: {
      id: 1,
      url: 'https://gw1',
      uuid: '00',
      num_connections: 12,
      hosts: [
        { ...instance, instance_id: INSTANCE, latest_handshake: seen },
        { ...instance, instance_id: 'cd'.repeat(20), latest_handshake: 0 },
      ],
      nodes: [{ id: 1, url: 'https://gw1', last_seen: seen, wg_public_key: 'key-material' }],
    },
    GetMeta: { registered: 2, online: 1 },
    GetGlobalConnections: { total_connections: 31, node_connections: { '1': 12, '2': 19 } },
    GetNodeStatuses: { statuses: [{ node_id: 1, status: 'up' }] },
    ListZtDomains: {
      domains: [
        {
          config: { domain: 'example.test', dns_cred_id: 'secret-id', port: 443, node: null, priority: 0 },
          cert_status: {
            has_cert: true,
            not_after: seen,
            issued_by: 1,
            issued_at: 1,
            loaded_in_memory: true,
          },
        },
      ],
    },
  };
  const row = await made({ url, credential: TOKEN });
  asked = [];
  const said = await status(row);
  expect(said).toMatchObject({
    state: 'answered',
    node_connections: 12,
    total_connections: 31,
    registered: 2,
    online: 1,
    nodes: [{ id: 1, status: 'up' }],
    instances: [
      { handshake_at: null, cvm_id: null },
      { instance_id: INSTANCE, cvm_id: cvm.vm_uuid, connections: 3 },
    ],
    instance_count: 2,
    domains: [{ domain: 'example.test', port: 443, has_certificate: true, loaded: true }],
    domains_error: null,
  });
  expect(JSON.stringify(said)).not.toMatch(/key-material|secret-id/);
  expect(asked.sort()).toEqual([
    'GetGlobalConnections',
    'GetMeta',
    'GetNodeStatuses',
    'ListZtDomains',
    'Status',
  ]);
});

it('reports what is missing: the address, an answer, the right token, an older version’s domains', async () => {
  expect(await status(await made())).toMatchObject({ state: 'no_address', error: null, domains: [] });
  const silent = await status(await made({ url: 'http://127.0.0.1:9' }));
  expect(silent).toMatchObject({ state: 'unreachable', node_connections: null });
  expect(silent.error).toBeTruthy();
  const wrong = await status(await made({ url, credential: 'not-the-token' }));
  expect(wrong.error).toContain('It rejects the stored token.');
  expect(wrong.error).not.toContain('not-the-token');
  replies = { Status: { num_connections: 1, hosts: null } };
  const old = await status(await made({ url, credential: TOKEN }));
  expect(old).toMatchObject({ state: 'answered', node_connections: 1, registered: null, domains: [] });
  expect(old.domains_error).toContain('ListZtDomains');
});

it('is shown regardless of its answer', async () => {
  const long = 'x'.repeat(100_000);
  const instance = { app_id: long, ip: long, base_domain: long, num_connections: -1 };
  replies = {
    Status: {
      id: 1e300,
      url: long,
      num_connections: 1.5,
      hosts: ['a\0b', long, ''].map((instance_id) => ({
        ...instance,
        instance_id,
        latest_handshake: 1e300,
      })),
      nodes: [{ id: 1, url: `\0${long}`, last_seen: 1e300 }],
    },
    GetMeta: { registered: 1e300, online: -1 },
    GetNodeStatuses: { statuses: [{ node_id: 1, status: long }] },
    ListZtDomains: { domains: [{ config: { domain: long, port: 1e9 }, cert_status: null }] },
  };
  const row = await made({ url, credential: TOKEN });
  const reply = await admin.call('getAdminGatewayStatus', { path: { id: row.id } });
  expect([reply.status, reply.body]).toMatchObject([200, { state: 'answered', instance_count: 3 }]);
});
