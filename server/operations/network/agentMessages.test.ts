import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AgentAnswer, Problem } from '../../../generated/api/types.gen';
import { identityOf, insertApp, insertCvm, insertHost } from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

/* Members talk to the agent in a CVM, through its gateway and the HTTP API of elizaOS. */

const COMPOSE = `services:
  agent:
    image: ghcr.io/elizaos/eliza:stable
    ports: ["3000:3000", "127.0.0.1:4000:4000"]
`;
const AGENT = randomUUID();
const KEY = 'agent-server-key';

interface Asked {
  host: string | undefined;
  path: string;
  key: string | undefined;
  body: Record<string, unknown>;
}
type Script = (asked: Asked) => [status: number, body: unknown] | null;

let server: TestServer;
let owner: TestClient;
let cvm_id: string;
let app_id: string;
let port: number;
const gateway = createServer((req, res) => void reply(req, res));
const asked: Asked[] = [];
/** Sessions that the agent knows, with their authors. */
const sessions = new Map<string, string>();
/** Answers before the agent does. */
let script: Script = () => null;

/** The gateway with an agent behind it, as elizaOS 1.7 answers. */
async function reply(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  const one: Asked = {
    host: req.headers.host,
    path: req.url ?? '',
    key: req.headers['x-api-key'] as string | undefined,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
  asked.push(one);
  const [status, body] = script(one) ?? agent(one);
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function agent({ path, body }: Asked): [number, unknown] {
  if (path === '/api/agents')
    return [200, { success: true, data: { agents: [{ id: AGENT, name: 'Ada', status: 'active' }] } }];
  if (path === '/api/messaging/sessions') {
    const sessionId = randomUUID();
    sessions.set(sessionId, String(body.userId));
    return body.agentId === AGENT ? [201, { sessionId }] : [404, { error: 'Agent not found' }];
  }
  const [, session = ''] = /^\/api\/messaging\/sessions\/([^/]+)\/messages$/.exec(path) ?? [];
  if (!sessions.has(session)) return [404, { error: 'Session not found' }];
  return [201, { success: true, agentResponse: { text: `You said: ${String(body.content)}` } }];
}

beforeAll(async () => {
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  ({ port } = gateway.address() as AddressInfo);
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  owner = await server.register();
  const { db } = server.services;
  const host = await insertHost(db, { name: 'agents' });
  await db
    .updateTable('teepods')
    .set({ gateway_base_domain: `cvm.localhost:${port}` })
    .where('id', '=', host.teepod.id)
    .execute();
  const who = await identityOf(db, owner.email!);
  const app = await insertApp(db, { ...who, host, name: 'ada', compose: COMPOSE });
  const cvm = await insertCvm(db, { ...app, host, user_id: who.user_id, change: { status: 'running' } });
  cvm_id = cvm.vm_uuid;
  app_id = app.app.app_id;
});
afterAll(async () => {
  await server.stop();
  gateway.closeAllConnections();
  gateway.close();
});
beforeEach(() => {
  asked.length = 0;
  script = () => null;
});

const say = (message: string, more: object = {}, client = owner) =>
  client.call('sendAgentMessage', { path: { cvm_id }, body: { port: 3000, message, ...more } });
const answer = async (message: string, more: object = {}) => {
  const { status, body } = await say(message, more);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as AgentAnswer;
};
const refusal = async (more: object = {}, client = owner) => {
  const { status, body } = await say('Hi', more, client);
  const { message, details } = body as unknown as Problem;
  return { status, message, field: details?.[0]?.field };
};

it('answers in one conversation, with one author for each user', async () => {
  const first = await answer('Hello');
  expect(first.reply).toBe('You said: Hello');
  const second = await answer('Again', { session_id: first.session_id });
  expect(second).toEqual({ session_id: first.session_id, reply: 'You said: Again' });
  // Through the gateway, which finds the app by its name.
  expect(new Set(asked.map(({ host }) => host))).toEqual(new Set([`${app_id}-3000.cvm.localhost:${port}`]));
  expect(asked.map(({ path }) => path.replace(first.session_id, 'ID'))).toEqual([
    '/api/agents',
    '/api/messaging/sessions',
    '/api/messaging/sessions/ID/messages',
    '/api/messaging/sessions/ID/messages',
  ]);
  const other = await answer('Hello');
  expect(other.session_id).not.toBe(first.session_id);
  expect(sessions.get(other.session_id)).toBe(sessions.get(first.session_id));
});

it('continues a conversation that the agent has forgotten as a new one', async () => {
  const { session_id } = await answer('Hello');
  sessions.clear();
  const next = await answer('Still there?', { session_id });
  expect(next.reply).toBe('You said: Still there?');
  expect(next.session_id).not.toBe(session_id);
});

it('passes on the key of the agent’s server, and stores it nowhere', async () => {
  script = ({ key }) => (key === KEY ? null : [401, { error: 'Unauthorized' }]);
  expect(await refusal()).toMatchObject({
    status: 422,
    field: 'api_key',
    message: expect.stringContaining('ELIZA_SERVER_AUTH_TOKEN'),
  });
  expect(await refusal({ api_key: 'wrong' })).toMatchObject({ status: 422, field: 'api_key' });
  expect((await answer('Hello', { api_key: KEY })).reply).toBe('You said: Hello');
});

it('says what is wrong with what answers there', async () => {
  script = () => [200, { hello: 'world' }];
  expect(await refusal()).toMatchObject({
    status: 502,
    message: 'The service there doesn’t return its list of agents as elizaOS does (status 200).',
  });
  script = () => [200, { data: { agents: [] } }];
  expect((await refusal()).message).toBe('No agent has started there yet.');
  script = ({ path }) => (path.endsWith('/messages') ? [500, {}] : null);
  expect((await refusal()).message).toBe('The agent failed with status 500.');
  script = ({ path }) => (path.endsWith('/messages') ? [201, { agentResponse: null }] : null);
  expect((await answer('Hm')).reply).toBeNull();
  // More than an answer has.
  script = () => [200, { data: 'x'.repeat(300_000) }];
  expect((await refusal()).status).toBe(502);
});

it('reaches only what the gateway leads to, for members of the team', async () => {
  expect(await refusal({ port: 4000 })).toMatchObject({ status: 422, field: 'port' });
  expect(await refusal({ port: 22 })).toMatchObject({ status: 422, field: 'port' });
  expect((await refusal({}, await server.register())).status).toBe(404);
  expect(asked).toEqual([]);
  const { db } = server.services;
  const status = (to: 'stopped' | 'running') =>
    db.updateTable('cvms').set({ status: to }).where('vm_uuid', '=', cvm_id).execute();
  await status('stopped');
  expect(await refusal()).toMatchObject({ status: 409, message: expect.stringContaining('stopped') });
  await status('running');
});
