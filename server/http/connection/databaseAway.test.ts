import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../config';
import { newToken } from '../../domain/teams/token';
import { createLogger } from '../../log';
import { startServer, type RunningServer } from '../../main';
import { OPEN_TO_ALL } from '../../testing/openServer';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { eventually, PASSWORD, sessionCookieOf } from '../../testing/server';

/** A server whose database becomes unavailable and returns, as when PostgreSQL restarts. */

let database: TestDatabase;
let server: RunningServer;
let dataDir: string;
const lines: string[] = [];

/** Between the server and its database. */
const connections = new Set<Socket>();
let door: Server;
let port = 0;
/** A marker that breaks the connection sending it. */
let forbidden: string | null = null;
/** Whether LISTEN fails, as on a standby, and how often it has. */
const standby = { isOne: false, refusals: 0 };

function passedOn(sent: Buffer): Buffer {
  const at = standby.isOne ? sent.indexOf('listen ') : -1;
  if (at < 0) return sent;
  standby.refusals += 1;
  const changed = Buffer.from(sent);
  changed.write('refuse ', at);
  return changed;
}

async function open(): Promise<void> {
  door = createServer((near) => {
    const { host, port: far = 5432, connectionString } = database.connection;
    const url = connectionString === undefined ? undefined : new URL(connectionString);
    const there = url
      ? connect(Number(url.port || 5432), url.hostname)
      : connect({ path: `${host}/.s.PGSQL.${far}` });
    for (const socket of [near, there]) {
      connections.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => (connections.delete(socket), near.destroy(), there.destroy()));
    }
    near.on('data', (sent) => {
      if (forbidden !== null && sent.includes(forbidden)) near.destroy();
      else there.write(passedOn(sent));
    });
    near.on('end', () => there.end());
    there.pipe(near);
  });
  await once(door.listen(port, '127.0.0.1'), 'listening');
  const at = door.address();
  port = typeof at === 'object' && at !== null ? at.port : 0;
}

function cut(): void {
  door.close();
  for (const socket of connections) socket.destroy();
}

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = mkdtempSync(join(tmpdir(), 'teehouse-test-'));
  await open();
  const url = new URL(database.url);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const config = loadConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: url.href,
    LOG_LEVEL: 'warn',
    LOCAL_TEEPOD: 'off',
    ...OPEN_TO_ALL,
  });
  server = await startServer(config, createLogger('warn', { write: (line) => void lines.push(line) }));
});
let isStopped = false;
afterAll(async () => {
  if (!isStopped) await server?.stop();
  cut();
  await database?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

let cookie = '';
const call = (method: string, path: string, body?: unknown) =>
  fetch(`${server.address}/api/v1${path}`, {
    method,
    headers: {
      cookie,
      origin: server.address,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

describe('while the database is away', () => {
  beforeAll(async () => {
    const registered = await call('POST', '/auth/register', {
      email: 'ada@example.test',
      password: PASSWORD,
    });
    expect(registered.status).toBe(201);
    cookie = sessionCookieOf(registered) ?? '';
    expect((await call('GET', '/workspaces')).status).toBe(200);
    cut();
    lines.length = 0;
  });

  it.each([
    ['GET', '/workspaces', undefined],
    ['POST', '/workspaces', { name: 'Late', slug: 'late' }],
  ])('%s %s reports this and when to retry', async (method, path, body) => {
    const answer = await call(method, path, body);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('3');
    expect(await answer.json()).toMatchObject({
      code: 'ERR-00-010',
      message: "The database isn't available at the moment.",
      request_id: expect.stringMatching(/^req_/),
      suggestions: ['Try again in a few seconds.'],
    });
  });

  it.each([
    {
      client: 'an identity provider',
      url: '/scim/v2/Users',
      token: newToken('scim'),
      body: {
        status: '503',
        detail: "The database isn't available at the moment. Try again in a few seconds.",
      },
    },
    {
      client: 'an AI client',
      url: '/v1/models',
      token: newToken('ai'),
      body: {
        error: {
          type: 'server_error',
          code: 'database_unavailable',
          message: "The gateway's database isn't available at the moment.",
        },
      },
    },
    {
      client: 'a KMS',
      url: `/kms-auth/${newToken('kms')}/prod`,
      body: { error: "The database isn't available at the moment" },
    },
  ])('$client gets the same in its own format', async ({ url, token, body }) => {
    const answer = await fetch(
      `${server.address}${url}`,
      token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
    );
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('3');
    expect(await answer.json()).toMatchObject(body);
  });

  it('logs a line for each request, without a stack', () => {
    const requests = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ problem }) => problem === 'ERR-00-010');
    expect(requests).toHaveLength(2);
    expect(requests).toMatchObject([{ level: 40 }, { level: 40 }]);
    expect(JSON.stringify(requests)).not.toContain('stack');
  });

  it('recovers when it is back, without a restart', async () => {
    await open();
    const made = await eventually('the team is created', async () => {
      const answer = await call('POST', '/workspaces', { name: 'Late', slug: 'late' });
      return answer.status === 201 && answer;
    });
    expect(await made.json()).toMatchObject({ slug: 'late' });
  });
});

it('a change that may have been saved is not reported as retryable', async () => {
  forbidden = 'commit\0';
  const answer = await call('POST', '/workspaces', { name: 'Doubtful', slug: 'doubtful' });
  forbidden = null;
  expect(answer.status).toBe(500);
  expect(answer.headers.get('retry-after')).toBeNull();
  expect(await answer.json()).toMatchObject({
    code: 'ERR-00-009',
    message: 'The database connection was lost while the change was being saved.',
    suggestions: [expect.stringContaining('the same Idempotency-Key')],
  });
});

it('a standby, which refuses to listen, is left with one connection for events at most', async () => {
  const listening = `select pid from pg_stat_activity where datname = current_database() and application_name = 'teehouse-events'`;
  standby.isOne = true;
  await database.pool.query(`select pg_terminate_backend(pid) from (${listening}) one`);
  await eventually('it was asked again', async () => standby.refusals >= 4);
  const areClosed = async () => (await database.pool.query(listening)).rows.length <= 1;
  await eventually('the others are closed', areClosed, 20);
  standby.isOne = false;
  await eventually('events are followed again', async () => {
    const { rows } = await database.pool.query<{ query: string }>(
      `select query from pg_stat_activity where pid in (${listening})`,
    );
    return rows.length === 1 && rows[0]?.query.startsWith('listen');
  });
});

it('a stop ends without an error while the database is away', async () => {
  cut();
  isStopped = true;
  await expect(server.stop()).resolves.toBeUndefined();
});
