import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { loadConfig } from '../config';
import { connectRunning } from '../db/core/embedded';
import { createVmmDriver } from '../drivers/vmm/rpc';
import type { VmmDriver } from '../drivers/vmm';
import { ROOT } from '../root';
import { freePort } from '../tools/postgres';
import { scratchDir } from '../tools/testRunner/scratch';
import { createTestDatabase, type TestDatabase } from './database';
import { copyEmptyDatabase } from './emptyDatabase';
import { OPEN_TO_ALL, SHORT_LIVED } from './openServer';
import { eventually, PASSWORD } from './server';

/** Uses the server built by `npm test`, which starts faster than the sources. */
const SERVER = process.env.TEST_BUILT
  ? [...SHORT_LIVED, join(ROOT, 'dist/server/main.js')]
  : ['--import', 'tsx', join(ROOT, 'server/main.ts')];

const KINDS = ['server', 'teepod', 'both'] as const;
/** For a server in two processes. */
const KINDS_APART = ['web', 'worker', 'both'] as const;
type Kind = (typeof KINDS)[number] | (typeof KINDS_APART)[number];

interface Reply {
  status: number;
  body: Record<string, unknown>;
}

/** A server and its local teepod as separate processes to kill, and a user who works on it. */
export interface ChaosServer {
  /** Null if it was killed during the request: not acknowledged. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply | null>;
  /** Retries until `attempt` returns true or `stop` does; counts acknowledged changes. */
  repeat(stop: () => boolean, attempt: () => Promise<boolean>): Promise<boolean>;
  /** Creates a CVM with this name or a suffixed one. Null if stopped before it was acknowledged. */
  deploy(stop: () => boolean, name: string, compose: string): Promise<Reply['body'] | null>;
  /** Changes acknowledged so far. */
  accepted(): number;
  /**
   * Kills server, local teepod or both in turn with kill -9, each time after another acknowledged change, so that
   * work is in progress. For a server in two processes, kills web, worker or both.
   */
  killOften(times: number): Promise<void>;
  /** Sends one kill -9 now; returns when the killed processes are up again. */
  kill(kind: Kind): Promise<void>;
  /**
   * Returns the operations and rollouts that ended more than 15 s after their deadline, not counting the time in
   * which a killed server was starting again.
   */
  late(): Promise<string[]>;
  driver(): VmmDriver;
  /** The server's URL, and the headers of a request by the registered user. */
  url: string;
  cookie(): string;
  /** Memory of the server process, in MB. */
  residentMb(): number;
  query<R extends object>(text: string): Promise<R[]>;
  /** Outlives every kill; null if the database is the server's own. */
  database: TestDatabase | null;
  close(): Promise<void>;
}

interface Process {
  env: Record<string, string | undefined>;
  child: ChildProcess | null;
}

async function end({ child }: Process): Promise<void> {
  child?.kill('SIGTERM');
  if (child) await Promise.race([new Promise((resolve) => child.once('exit', resolve)), wait(15_000)]);
  child?.kill('SIGKILL');
}

/**
 * @param options.apart web and worker are separate processes on one database
 * @param options.external its database outlives it, which makes a restart cheaper
 */
export async function startChaosServer({
  teepod = true,
  apart = false,
  external = apart,
  env: more = {},
}: {
  teepod?: boolean;
  apart?: boolean;
  external?: boolean;
  env?: Record<string, string>;
} = {}): Promise<ChaosServer> {
  const dataDir = await scratchDir('chaos');
  // A supervised database exits with its server; on an external one, only our connections close.
  const database = external || process.env.TEST_DB === 'postgres' ? await createTestDatabase() : null;
  const empty = inject('emptyDatabase');
  if (!database && empty !== null) await copyEmptyDatabase(empty, dataDir, { durable: true });
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
    ...OPEN_TO_ALL,
    ...more,
    ...(database ? { DATABASE_URL: database.url } : {}),
  };
  const main: Process = { env: apart ? { ...env, TEEHOUSE_ROLE: 'web' } : env, child: null };
  const worker: Process | null = apart
    ? { env: { ...env, PORT: String(await freePort()), TEEHOUSE_ROLE: 'worker' }, child: null }
    : null;
  const processes = worker ? [main, worker] : [main];
  let cookie = '';
  let client: pg.Client | null = null;
  /** Kills during work, not during startup. */
  let accepted = 0;

  function start(one: Process): void {
    one.child = spawn(process.execPath, SERVER, {
      cwd: ROOT,
      env: one.env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  const ready = (one: Process) =>
    eventually(
      'the server is ready',
      async () => {
        // The old lock is not free yet.
        if (one.child?.exitCode !== null && one.child?.exitCode !== undefined) start(one);
        const signal = AbortSignal.timeout(3_000);
        const url = `http://127.0.0.1:${one.env.PORT}/readyz`;
        return (await fetch(url, { signal }).catch(() => null))?.status === 200;
      },
      // Starts within seconds; the limit allows for an overloaded machine.
      240,
    );

  async function ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<(Reply & { headers: Headers }) | null> {
    try {
      const reply = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
        method,
        headers: { 'content-type': 'application/json', cookie, ...headers },
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

  /** Finds this server's local teepod by its environment, because its parent may be gone. */
  function teepodPid(): number | null {
    for (const entry of readdirSync('/proc')) {
      if (!/^\d+$/.test(entry)) continue;
      try {
        if (!readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes('teepod/main')) continue;
        if (readFileSync(`/proc/${entry}/environ`, 'utf8').includes(`TEEPOD_DIR=${join(dataDir, 'teepod')}`))
          return Number(entry);
      } catch {
        // Exited in the meantime.
      }
    }
    return null;
  }

  const outages: { from: number; to: number }[] = [];
  const outageMs = (from: number, to: number) =>
    outages.reduce((sum, one) => sum + Math.max(0, Math.min(to, one.to) - Math.max(from, one.from)), 0);

  async function killProcess(one: Process): Promise<void> {
    const dying = one.child;
    dying?.kill('SIGKILL');
    await new Promise((resolve) =>
      dying?.exitCode === null && dying.signalCode === null ? dying.once('exit', resolve) : resolve(null),
    );
    start(one);
    await ready(one);
  }

  async function kill(kind: Kind): Promise<void> {
    const pod = teepod ? teepodPid() : null;
    if (kind !== 'server' && pod) process.kill(pod, 'SIGKILL');
    if (kind === 'teepod') return;
    const doomed = { server: processes, both: processes, web: [main], worker: worker ? [worker] : [] }[kind];
    const from = Date.now();
    await Promise.all(doomed.map(killProcess));
    outages.push({ from, to: Date.now() });
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
    made.on('error', () => undefined); // its server exits before this process does
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
        // The name is taken by an attempt whose reply was lost. Another check must find that CVM; it doesn't
        // count here.
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
        const kinds = apart ? KINDS_APART : KINDS;
        await kill(kinds[i % kinds.length] ?? 'both');
      }
    },
    async kill(kind) {
      await kill(kind);
      if (database) return;
      // The database died with the server.
      await client?.end().catch(() => undefined);
      client = null;
    },
    async late() {
      const ended = await server.query<{ id: string; deadline_at: Date; finished_at: Date }>(`
        select correlation_id::text as id, deadline_at, finished_at from operations where finished_at > deadline_at
        union all select public_id, deadline_at, finished_at from rollouts where finished_at > deadline_at`);
      return ended
        .filter(({ deadline_at, finished_at }) => {
          const [due, at] = [deadline_at.getTime(), finished_at.getTime()];
          return at - due - outageMs(due, at) > 15_000;
        })
        .map(({ id }) => id);
    },
    url: `http://127.0.0.1:${port}`,
    cookie: () => cookie,
    residentMb() {
      const status = readFileSync(`/proc/${main.child?.pid}/status`, 'utf8');
      return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
    },
    driver: () => createVmmDriver({ url: `unix:${join(dataDir, 'teepod/vmm.sock')}` }),
    async query<R extends object>(text: string) {
      client ??= await connect();
      return (await client.query<R & pg.QueryResultRow>(text)).rows;
    },
    database,
    async close() {
      await client?.end().catch(() => undefined);
      await Promise.all(processes.map(end));
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };

  for (const one of processes) start(one);
  await Promise.all(processes.map(ready));
  const registered = await ask('POST', '/auth/register', { email: 'chaos@example.test', password: PASSWORD });
  cookie = registered?.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  if (!cookie) throw new Error(`registering returned ${registered?.status}`);
  if (teepod)
    await eventually(
      'the teepod is registered',
      async () =>
        ((await ask('GET', '/teepods/available'))?.body.nodes as unknown[] | undefined)?.length === 1,
    );
  return server;
}
