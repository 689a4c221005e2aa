import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AgentAnswer, Problem } from '../../../generated/api/types.gen';
import { AgentError, type AgentErrorKind } from '../../drivers/agents';
import { identityOf, insertApp, insertCvm, insertHost } from '../../testing/cvmFixtures';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';

/* Members talk to a CVM's agent through the gateway and the elizaOS HTTP API. */

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
let instance_id: string;
let port: number;
const gateway = createServer((req, res) => void reply(req, res));
const asked: Asked[] = [];
/** The agents' sessions with their authors. Each instance of the app knows only its own. */
const sessions = new Map<string, string>();
/** Requests to the app's address, which the gateway distributes round-robin to its instances. */
let toApp = 0;
/** Overrides the agent's answers. */
let script: Script = () => null;

/** The gateway with an agent behind it that answers like elizaOS 1.7. */
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

function agent({ host, path, body }: Asked): [number, unknown] {
  const name = host?.split('-')[0] ?? '';
  const instance = name === instance_id ? name : `instance ${(toApp += 1) % 2}`;
  const own = (session: string) => `${instance} ${session}`;
  if (path === '/api/agents')
    return [200, { success: true, data: { agents: [{ id: AGENT, name: 'Ada', status: 'active' }] } }];
  if (path === '/api/messaging/sessions') {
    const sessionId = randomUUID();
    sessions.set(own(sessionId), String(body.userId));
    return body.agentId === AGENT ? [201, { sessionId }] : [404, { error: 'Agent not found' }];
  }
  const [, session = ''] = /^\/api\/messaging\/sessions\/([^/]+)\/messages$/.exec(path) ?? [];
  if (!sessions.has(own(session))) return [404, { error: 'Session not found' }];
  return [201, { success: true, agentResponse: { text: `You said: ${String(body.content)}` } }];
}

beforeAll(async () => {
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  ({ port } = gateway.address() as AddressInfo);
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web', LOG_LEVEL: 'warn' } });
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
  instance_id = cvm.instance_id!;
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
  const { message, details, suggestions } = body as unknown as Problem;
  return { status, message, field: details?.[0]?.field, suggestion: suggestions?.[0] };
};

it('answers in one conversation, with one author for each user', async () => {
  const first = await answer('Hello');
  expect(first.reply).toBe('You said: Hello');
  const second = await answer('Again', { session_id: first.session_id });
  expect(second).toEqual({ session_id: first.session_id, reply: 'You said: Again' });
  // Through the gateway to this CVM: the app's other instances wouldn't know the conversation.
  expect(new Set(asked.map(({ host }) => host))).toEqual(
    new Set([`${instance_id}-3000.cvm.localhost:${port}`]),
  );
  expect(asked.map(({ path }) => path.replace(first.session_id, 'ID'))).toEqual([
    '/api/agents',
    '/api/messaging/sessions',
    '/api/messaging/sessions/ID/messages',
    '/api/messaging/sessions/ID/messages',
  ]);
  const other = await answer('Hello');
  expect(other.session_id).not.toBe(first.session_id);
  expect(sessions.size).toBe(2);
  expect(new Set(sessions.values()).size).toBe(1);
});

it('starts a new conversation if the agent has forgotten it', async () => {
  const { session_id } = await answer('Hello');
  sessions.clear();
  const next = await answer('Still there?', { session_id });
  expect(next.reply).toBe('You said: Still there?');
  expect(next.session_id).not.toBe(session_id);
});

it('forwards the agent server’s key without storing it', async () => {
  script = ({ key }) => (key === KEY ? null : [401, { error: 'Unauthorized' }]);
  expect(await refusal()).toMatchObject({
    status: 422,
    field: 'api_key',
    message: expect.stringContaining('ELIZA_SERVER_AUTH_TOKEN'),
  });
  expect(await refusal({ api_key: 'wrong' })).toMatchObject({ status: 422, field: 'api_key' });
  expect((await answer('Hello', { api_key: KEY })).reply).toBe('You said: Hello');
  expect(await refusal({ api_key: `${KEY}\r\nx-evil: 1` })).toEqual({
    status: 422,
    field: 'api_key',
    message: 'A key can’t contain line breaks or special characters.',
  });
});

it('reports the problem with an unexpected service', async () => {
  script = () => [200, { hello: 'world' }];
  expect(await refusal()).toMatchObject({
    status: 502,
    message: "The service at this port doesn't return its list of agents in elizaOS's format (status 200).",
  });
  script = () => [200, { data: { agents: [] } }];
  expect((await refusal()).message).toBe('No agent has started yet.');
  script = ({ path }) => (path.endsWith('/messages') ? [500, {}] : null);
  expect((await refusal()).message).toBe('The agent failed with status 500.');
  script = ({ path }) => (path.endsWith('/messages') ? [201, { agentResponse: null }] : null);
  expect((await answer('Hm')).reply).toBeNull();
  // Exceeds the maximum answer size.
  script = () => [200, { data: 'x'.repeat(300_000) }];
  expect((await refusal()).status).toBe(502);
});

it('logs no error for a port with another service', async () => {
  const { [pino.symbols.streamSym]: stream } = server.services.log as unknown as Record<
    symbol,
    { write: (line: string) => void }
  >;
  const { write } = stream!;
  const lines: string[] = [];
  stream!.write = (line) => void lines.push(line);
  try {
    script = () => [200, { hello: 'world' }];
    expect((await refusal()).status).toBe(502);
  } finally {
    stream!.write = write;
  }
  expect(lines).toEqual([]);
});

it('reports that elizaOS before 1.7 is too old, without sessions or with answers via a socket', async () => {
  const outdated = {
    status: 502,
    message:
      "The agent's elizaOS version lacks the sessions API that this chat uses. It needs elizaOS 1.7 or later.",
    suggestion: "Update the agent's image to elizaOS 1.7 or later.",
  };
  const missing = { success: false, error: { message: 'API endpoint not found', code: 404 } };
  script = ({ path }) => (path === '/api/messaging/sessions' ? [404, missing] : null);
  expect(await refusal()).toMatchObject(outdated);
  const stored = { id: randomUUID(), content: 'Hi', authorId: randomUUID(), metadata: {} };
  script = ({ path }) => (path.endsWith('/messages') ? [201, stored] : null);
  expect(await refusal()).toMatchObject(outdated);
});

it('truncates an oversized answer', async () => {
  script = ({ path }) =>
    path.endsWith('/messages') ? [201, { success: true, agentResponse: { text: 'x'.repeat(40_000) } }] : null;
  expect((await answer('Tell me more')).reply).toHaveLength(32_000);
});

it('does not blame the port for a slow agent or a disallowed address', async () => {
  const { agents } = server.services;
  const { say: real } = agents;
  const failing = async (kind: AgentErrorKind) => {
    agents.say = () => Promise.reject(new AgentError(kind, 'No answer.'));
    const { status, suggestion } = await refusal();
    expect(status).toBe(502);
    return suggestion;
  };
  try {
    expect(await failing('other_api')).toContain('Choose the port');
    expect(await failing('timeout')).toMatch(/^The agent may be starting, or its model may be slow\./);
    expect(await failing('refused')).toMatch(/^Ask an administrator of this server to add the gateway/);
  } finally {
    agents.say = real;
  }
});

it('allows four pending answers per team, and more once they have arrived', async () => {
  const { agents } = server.services;
  const { say: real } = agents;
  const waiting: (() => void)[] = [];
  agents.say = () =>
    new Promise((resolve) => {
      waiting.push(() => resolve({ session_id: randomUUID(), text: 'Done' }));
    });
  try {
    for (const _ of ['once', 'again']) {
      const four = [1, 2, 3, 4].map(() => say('Hi'));
      await eventually('four are waiting', async () => waiting.length === 4);
      const fifth = await say('Hi');
      expect(fifth.status).toBe(429);
      expect(fifth.headers.get('retry-after')).toBe('10');
      for (const finish of waiting.splice(0)) finish();
      expect((await Promise.all(four)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    }
  } finally {
    agents.say = real;
  }
});

it('reaches only ports the gateway serves, for members of the team', async () => {
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
