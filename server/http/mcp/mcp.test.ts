import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identityOf, insertToken } from '../../testing/cvmFixtures';
import { countQueries, type QueryCounter } from '../../testing/queryCount';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';

let server: TestServer;
let member: TestClient;
let token: string;
let counter: QueryCounter;
beforeAll(async () => {
  // Must be set before the server has connections.
  counter = countQueries();
  server = await startTestServer({ teepod: true });
  member = await server.register();
  token = await tokenOf(member);
});
afterAll(async () => {
  await server?.stop();
  counter.stop();
});

const tokenOf = async (who: TestClient, scopes?: string[]) => {
  const { db } = server.services;
  return insertToken(db, await identityOf(db, who.email!), scopes);
};
const address = () => new URL('/mcp', server.address);

async function connect(era: 'current' | 'earlier', key: string) {
  const options = { requestInit: { headers: { Authorization: `Bearer ${key}` } } };
  if (era === 'current') {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(address(), options));
    return client;
  }
  const client = new EarlierClient({ name: 'test', version: '1' });
  // The SDK's types predate exactOptionalPropertyTypes.
  await client.connect(new EarlierTransport(address(), options) as Parameters<typeof client.connect>[0]);
  return client;
}

type AnyClient = Awaited<ReturnType<typeof connect>>;
async function call(client: AnyClient, name: string, args: Record<string, unknown> = {}) {
  const result = (await client.callTool({ name, arguments: args })) as {
    content: { text: string }[];
    isError?: boolean;
  };
  return { text: result.content[0]?.text ?? '', isError: result.isError ?? false };
}
/** Returns the value of a successful call. */
async function value<T>(client: AnyClient, name: string, args: Record<string, unknown> = {}): Promise<T> {
  const { text, isError } = await call(client, name, args);
  expect(isError, text).toBe(false);
  return JSON.parse(text) as T;
}

const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(address(), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const COMPOSE = 'services:\n  web:\n    image: nginx:alpine\n    ports: ["80:80"]\n';

describe.each(['current', 'earlier'] as const)('an assistant of the %s protocol era', (era) => {
  it('deploys an app, follows it, reads its log and cost, verifies it and deletes it', async () => {
    const client = await connect(era, token);
    const name = `assisted-${era}`;
    const sizes = await value<{ instance_type: string }[]>(client, 'list_sizes');
    const { cvm, app_id } = await value<{ cvm: string; app_id: string }>(client, 'deploy_app', {
      name,
      docker_compose_file: COMPOSE,
      instance_type: sizes[0]?.instance_type,
    });
    const running = () =>
      value<{ status: string; containers?: { name: string }[] }>(client, 'get_cvm', { cvm });
    const shown = await eventually('the CVM lists its containers', async () => {
      const one = await running();
      return one.status === 'running' && one.containers?.length ? one : null;
    });
    expect(shown).toMatchObject({ name, app_id, docker_compose_file: COMPOSE });
    const apps = await value<{ apps: { app_id: string; cvms: { cvm: string }[] }[] }>(client, 'list_apps', {
      search: name,
    });
    expect(apps).toMatchObject({ total: 1, apps: [{ app_id, cvms: [{ cvm }] }] });

    const container = shown.containers?.[0]?.name ?? '';
    const log = await call(client, 'get_logs', { cvm, container, lines: 5 });
    expect(log.isError, log.text).toBe(false);
    expect(log.text.trimEnd().split('\n').length).toBeLessThanOrEqual(5);
    expect(await call(client, 'get_logs', { cvm, container: 'other' })).toEqual({
      text: `The CVM has no container “other”. It has: ${shown.containers?.map((one) => one.name).join(', ')}.`,
      isError: true,
    });

    expect(await value(client, 'get_cost', { app_id })).toMatchObject({
      cost: expect.any(String),
      cvms: expect.any(Array),
    });
    expect(await value(client, 'get_balance')).toMatchObject({
      team: expect.any(String),
      balance: expect.any(String),
    });
    const report = await value<{ state: string; checks: { title: string; state: string }[] }>(
      client,
      'verify_cvm',
      { cvm },
    );
    // Nothing on a host without a TEE is verified, whatever passes.
    expect(report.state).toBe('simulated');
    expect(report.checks.length).toBeGreaterThan(30);

    expect(await value(client, 'restart_cvm', { cvm })).toMatchObject({ name });
    await eventually('it runs again', async () => (await running()).status === 'running');
    await value(client, 'stop_cvm', { cvm });
    await eventually('it is stopped', async () => (await running()).status === 'stopped');
    expect((await call(client, 'delete_cvm', { cvm })).isError).toBe(false);
    expect(await call(client, 'get_cvm', { cvm })).toMatchObject({ isError: true });
    await client.close();
  });

  it('sees which tools write and which interrupt or delete', async () => {
    const client = await connect(era, token);
    const { tools } = await client.listTools();
    const marked = (of: (notes: { readOnlyHint?: boolean; destructiveHint?: boolean }) => unknown) =>
      tools.filter(({ annotations = {} }) => of(annotations)).map(({ name }) => name);
    expect(marked((notes) => !notes.readOnlyHint)).toEqual([
      'deploy_app',
      'start_cvm',
      'restart_cvm',
      'stop_cvm',
      'delete_cvm',
    ]);
    expect(marked((notes) => notes.destructiveHint)).toEqual(['restart_cvm', 'stop_cvm', 'delete_cvm']);
    await client.close();
  });
});

describe('each call', () => {
  it('is limited to the scopes of the token, and to its team', async () => {
    const limited = await connect('current', await tokenOf(member, ['cvms:*']));
    expect((await call(limited, 'list_cvms')).isError).toBe(false);
    const refused = await call(limited, 'get_balance');
    expect(refused).toMatchObject({ isError: true });
    expect(refused.text).toMatch(
      /^This token's scopes don't include account\.read\.\n.*\(ERR-00-003, request req_/s,
    );

    const { cvm } = await value<{ cvm: string }>(limited, 'deploy_app', {
      name: 'not-yours',
      docker_compose_file: COMPOSE,
    });
    const stranger = await connect('current', await tokenOf(await server.register()));
    for (const tool of ['get_cvm', 'verify_cvm', 'restart_cvm', 'stop_cvm', 'delete_cvm', 'get_logs'])
      expect(
        await call(stranger, tool, { cvm, ...(tool === 'get_logs' ? { container: 'web' } : {}) }),
        tool,
      ).toMatchObject({ isError: true, text: expect.stringContaining('was not found') });
    expect(await value(stranger, 'list_cvms')).toMatchObject({ total: 0 });
  });

  it('is in the audit log with its arguments, in addition to its changes', async () => {
    const client = await connect('current', token);
    await value(client, 'deploy_app', { name: 'audited-app', docker_compose_file: COMPOSE });
    const rows = await server.services.db
      .selectFrom('audit_log')
      .select(['action', 'actor_kind', 'target_id', 'after', 'request_id'])
      .where('request_id', 'in', (eb) =>
        eb
          .selectFrom('audit_log')
          .select('request_id')
          .where('action', '=', 'mcp.call')
          .where('target_id', '=', 'deploy_app'),
      )
      .orderBy('id', 'desc')
      .limit(3)
      .execute();
    expect(rows.some(({ action }) => action === 'cvm.create')).toBe(true);
    expect(rows.find(({ action }) => action === 'mcp.call')).toMatchObject({
      actor_kind: 'token',
      after: { name: 'audited-app' },
    });
    expect(JSON.stringify(rows.filter(({ action }) => action === 'mcp.call'))).not.toContain('nginx');
  });

  it('explains invalid arguments', async () => {
    const client = await connect('current', token);
    for (const [tool, args, text] of [
      ['get_cvm', {}, '“cvm” is missing.'],
      ['get_cvm', { cvm: 'a\u0000b' }, 'An argument contains a NUL'],
      [
        'get_logs',
        { cvm: 'a', container: 'b', lines: 5000 },
        '“lines” must be a whole number from 1 to 1000.',
      ],
      ['deploy_app', { name: 'no', docker_compose_file: 'x' }, '“name” must have 5 to 63 characters.'],
      ['deploy_app', { name: 'valid-name', docker_compose_file: 'x: [' }, 'Compose file'],
    ] as const) {
      const answer = await call(client, tool, args);
      expect(answer.isError, tool).toBe(true);
      expect(answer.text).toContain(text);
    }
  });
});

describe('a batch', () => {
  it('authenticates its sender once, and adds one listener to its connection', async () => {
    const warnings: string[] = [];
    const warned = ({ name }: Error) => void warnings.push(name);
    process.on('warning', warned);
    try {
      const batch = Array.from({ length: 20 }, (_, id) => ({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'list_cvms', arguments: {} },
      }));
      let answers: unknown[] = [];
      const statements = await counter.during(async (headers) => {
        const answer = await post(batch, headers);
        answers = (await answer.json()) as unknown[];
      });
      expect(answers).toHaveLength(20);
      expect(JSON.stringify(answers)).not.toContain('"isError":true');
      expect(statements.filter((text) => /\bfrom api_tokens\b/.test(text))).toHaveLength(1);
      // Warnings are emitted in a later turn.
      await new Promise((resolve) => setImmediate(resolve));
      expect(warnings).not.toContain('MaxListenersExceededWarning');
    } finally {
      process.off('warning', warned);
    }
  });
});

describe('the endpoint', () => {
  it('accepts API tokens only, and says so', async () => {
    const wrong: Record<string, string>[] = [
      { authorization: '' },
      { authorization: 'Bearer thk_api_wrong' },
      { authorization: '', cookie: member.cookie ?? '' },
    ];
    for (const headers of wrong) {
      const answer = await post(PING, headers);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('refuses other sites’ pages, other methods and oversized bodies', async () => {
    expect((await post(PING, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(PING, { origin: server.url })).status).toBe(200);
    const read = await fetch(address(), { headers: { authorization: `Bearer ${token}` } });
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await post({ ...PING, params: { text: 'x'.repeat(1_100_000) } })).status).toBe(413);
  });
});
