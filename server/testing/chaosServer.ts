import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { loadConfig } from '../config';
import { connectRunning } from '../db/embedded';
import { createVmmDriver } from '../drivers/vmm/rpc';
import type { VmmDriver } from '../drivers/vmm';
import { ROOT } from '../root';
import { freePort } from '../tools/postgres';
import { createTestDatabase } from './database';
import { eventually, PASSWORD } from './server';

/** `npm test` has built the server, which starts faster than its sources do. */
const SERVER = process.env.TEST_BUILT
  ? [join(ROOT, 'dist/server/main.js')]
  : ['--import', 'tsx', join(ROOT, 'server/main.ts')];

const KINDS = ['server', 'teepod', 'both'] as const;

export interface Reply {
  status: number;
  body: Record<string, unknown>;
}

/** A server with its local teepod as processes of their own, to be killed; and a person who works with it. */
export interface ChaosServer {
  /** Null when it was killed under the request: not acknowledged. */
  call(method: string, path: string, body?: unknown): Promise<Reply | null>;
  /** Tries until `attempt` is true or `stop` says so; counts what was acknowledged. */
  repeat(stop: () => boolean, attempt: () => Promise<boolean>): Promise<boolean>;
  /** A CVM of this name, or one with letters after it; null when stopped before it was acknowledged. */
  deploy(stop: () => boolean, name: string, compose: string): Promise<Reply['body'] | null>;
  /** Changes acknowledged so far. */
  accepted(): number;
  /** kill -9 of server, local teepod or both by turns, in the midst of work: after a further change was acknowledged. */
  killOften(times: number): Promise<void>;
  /** One kill -9 now; returns when what was killed is up again. */
  kill(kind: (typeof KINDS)[number]): Promise<void>;
  driver(): VmmDriver;
  query<R extends object>(text: string): Promise<R[]>;
  close(): Promise<void>;
}

export async function startChaosServer({
  teepod = true,
  env: more = {},
}: { teepod?: boolean; env?: Record<string, string> } = {}): Promise<ChaosServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'teehouse-chaos-'));
  // On the supervised database the server's own dies with it; on a given one only our connections do.
  const database = process.env.TEST_DB === 'postgres' ? await createTestDatabase() : null;
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    LOCAL_TEEPOD_ENGINE: 'simulate',
    LOCAL_TEEPOD_MAX_CVMS: '50',
    RECONCILE_SECONDS: '1',
    WRITES_PER_MINUTE: '1000000',
    LOCAL_TEEPOD: teepod ? 'on' : 'off',
    ...more,
    ...(database ? { DATABASE_URL: database.url } : {}),
  };
  let child: ChildProcess | null = null;
  let cookie = '';
  let client: pg.Client | null = null;
  /** To kill in the midst of work and not in the midst of a start. */
  let accepted = 0;

  function start(): void {
    child = spawn(process.execPath, SERVER, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] });
  }

  const ready = () =>
    eventually(
      'the server is ready',
      async () => {
        if (child?.exitCode !== null && child?.exitCode !== undefined) start(); // the old lock was not free yet
        const signal = AbortSignal.timeout(3_000);
        return (await fetch(`http://127.0.0.1:${port}/readyz`, { signal }).catch(() => null))?.status === 200;
      },
      60,
    );

  async function ask(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<(Reply & { headers: Headers }) | null> {
    try {
      const reply = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
        method,
        headers: { 'content-type': 'application/json', cookie },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(15_000),
      });
      const text = await reply.text();
      return {
        status: reply.status,
        body: (text ? JSON.parse(text) : {}) as Record<string, unknown>,
        headers: reply.headers,
      };
    } catch {
      return null;
    }
  }

  /** The local teepod of this server, by its environment: its parent may be gone. */
  function teepodPid(): number | null {
    for (const entry of readdirSync('/proc')) {
      if (!/^\d+$/.test(entry)) continue;
      try {
        if (!readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes('teepod/main')) continue;
        if (readFileSync(`/proc/${entry}/environ`, 'utf8').includes(`TEEPOD_DIR=${join(dataDir, 'teepod')}`))
          return Number(entry);
      } catch {
        // gone meanwhile
      }
    }
    return null;
  }

  async function kill(kind: (typeof KINDS)[number]): Promise<void> {
    const pod = teepodPid();
    if (kind !== 'server' && pod) process.kill(pod, 'SIGKILL');
    if (kind === 'teepod') return;
    const dying = child;
    dying?.kill('SIGKILL');
    await new Promise((resolve) =>
      dying?.exitCode === null && dying.signalCode === null ? dying.once('exit', resolve) : resolve(null),
    );
    start();
    await ready();
  }

  async function connect(): Promise<pg.Client> {
    let connection: pg.PoolConfig;
    if (database) connection = database.connection;
    else {
      const running = await connectRunning(loadConfig(env));
      connection = running.connection;
      await running.pool.end();
    }
    const made = new pg.Client(connection);
    made.on('error', () => undefined); // the server it belongs to ends before we do
    await made.connect();
    return made;
  }

  const server: ChaosServer = {
    call: ask,
    async repeat(stop, attempt) {
      while (!stop()) {
        if (await attempt()) {
          accepted += 1;
          return true;
        }
        await wait(20 + Math.random() * 80);
      }
      return false;
    },
    async deploy(stop, name, docker_compose_file) {
      let made: Reply['body'] | null = null;
      await server.repeat(stop, async () => {
        const provision = await ask('POST', '/cvms/provision', {
          name,
          compose_file: { docker_compose_file },
        });
        // The name is taken: the CVM of an attempt whose answer was lost. It is somebody's to find, not ours to count.
        if (provision?.status === 409) name += 'x';
        if (provision?.status !== 200) return false;
        const { app_id, compose_hash } = provision.body;
        const commit = await ask('POST', '/cvms', { app_id, compose_hash });
        if (commit?.status !== 200) return false;
        made = commit.body;
        return true;
      });
      return made;
    },
    accepted: () => accepted,
    async killOften(times) {
      for (let i = 0; i < times; i++) {
        const before = accepted;
        const since = Date.now();
        while (accepted === before && Date.now() - since < 8_000) await wait(20);
        await wait(Math.random() * 500);
        await kill(KINDS[i % KINDS.length] ?? 'both');
      }
    },
    async kill(kind) {
      await kill(kind);
      // The database died with the server.
      await client?.end().catch(() => undefined);
      client = null;
    },
    driver: () => createVmmDriver({ url: `unix:${join(dataDir, 'teepod/vmm.sock')}` }),
    async query<R extends object>(text: string) {
      client ??= await connect();
      return (await client.query<R & pg.QueryResultRow>(text)).rows;
    },
    async close() {
      await client?.end().catch(() => undefined);
      child?.kill('SIGTERM');
      if (child) await Promise.race([new Promise((resolve) => child?.once('exit', resolve)), wait(15_000)]);
      child?.kill('SIGKILL');
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };

  start();
  await ready();
  const registered = await ask('POST', '/auth/register', { email: 'chaos@example.test', password: PASSWORD });
  cookie = registered?.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  if (!cookie) throw new Error(`registering ended with ${registered?.status}`);
  if (teepod)
    await eventually(
      'the teepod is there',
      async () =>
        ((await ask('GET', '/teepods/available'))?.body.nodes as unknown[] | undefined)?.length === 1,
    );
  return server;
}
