import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CvmModelServer } from '../../../generated/api/types.gen';
import { identityOf, insertApp, insertCvm, insertHost } from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

const COMPOSE = 'services:\n  model:\n    image: engine:1\n    ports: ["8080:8080", "127.0.0.1:9000:9000"]\n';

let server: TestServer;
let owner: TestClient;
let app_id: string;
let cvm_id: string;
let stopped_id: string;
let answer: (req: IncomingMessage, res: ServerResponse) => unknown;
const asked: string[] = [];
const gateway = createServer((req, res) => {
  asked.push(`${req.method} ${req.headers.host} ${req.url}`);
  answer(req, res);
});
let port: number;

beforeAll(async () => {
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  ({ port } = gateway.address() as AddressInfo);
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  owner = await server.register();
  const { db } = server.services;
  const host = await insertHost(db, { name: 'models' });
  await db
    .updateTable('teepods')
    .set({ gateway_base_domain: `cvm.localhost:${port}` })
    .where('id', '=', host.teepod.id)
    .execute();
  const who = await identityOf(db, owner.email!);
  const app = await insertApp(db, { ...who, host, name: 'models', compose: COMPOSE });
  ({ app_id } = app.app);
  const insert = async (status: 'running' | 'stopped') =>
    (await insertCvm(db, { ...app, host, user_id: who.user_id, change: { status } })).vm_uuid;
  [cvm_id, stopped_id] = [await insert('running'), await insert('stopped')];
});
afterAll(async () => {
  await server.stop();
  gateway.closeAllConnections();
  gateway.close();
});

const read = (id = cvm_id, query = { port: 8080 }, client = owner) =>
  client.call('getCvmModelServer', { path: { cvm_id: id }, query });
async function stateOf(id?: string): Promise<CvmModelServer> {
  const { status, body } = await read(id);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as CvmModelServer;
}

it('says when the model is loaded, at the address that clients use', async () => {
  const host = `${app_id}-8080.cvm.localhost:${port}`;
  const replies: [(res: ServerResponse) => unknown, object][] = [
    // The local gateway's response while nothing listens on the port.
    [(res) => res.writeHead(502).end('<p>no container listens</p>'), { state: 'starting', detail: null }],
    // The response of dstack's gateway.
    [(res) => res.destroy(), { state: 'starting', detail: null }],
    [(res) => res.writeHead(503).end('{"error":{"message":"Loading model"}}'), { state: 'loading' }],
    [(res) => res.end('{"status":"ok"}'), { state: 'ready', detail: null }],
    [(res) => res.writeHead(401).end(), { state: 'ready' }],
    [(res) => res.writeHead(404).end(), { state: 'failing', detail: 'GET /health returned status 404.' }],
    [(res) => res.writeHead(500).end(), { state: 'failing', detail: 'GET /health returned status 500.' }],
  ];
  for (const [reply, state] of replies) {
    answer = (_req, res) => reply(res);
    asked.length = 0;
    expect(await stateOf()).toMatchObject({ ...state, base_url: `http://${host}/v1` });
    expect(asked).toEqual([`GET ${host} /health`]);
  }
});

it('sends no requests to a CVM that isn’t running', async () => {
  asked.length = 0;
  expect(await stateOf(stopped_id)).toMatchObject({ state: 'off', detail: 'The CVM is stopped.' });
  expect(asked).toEqual([]);
});

it('reaches published ports of the team’s own CVMs only', async () => {
  answer = (_req, res) => res.end('{}');
  asked.length = 0;
  for (const other of [9000, 22]) expect((await read(cvm_id, { port: other })).status).toBe(422);
  expect((await read(cvm_id, undefined, await server.register())).status).toBe(404);
  expect(asked).toEqual([]);
});
