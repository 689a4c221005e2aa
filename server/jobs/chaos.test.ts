import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../config';
import { connectRunning } from '../db/embedded';
import { uuidOfVmName } from '../domain/vmName';
import { createVmmDriver } from '../drivers/vmm/rpc';
import { ROOT } from '../root';
import { createTestDatabase, type TestDatabase } from '../testing/database';
import { eventually, PASSWORD } from '../testing/server';
import { freePort } from '../tools/postgres';

/**
 * kill -9 of the server, of the local teepod and of both, at random moments during deploys, restarts and deletes.
 * Afterwards every operation has ended, no CVM exists twice, nothing acknowledged is lost, no reservation leaks.
 */
const KILLS = Number(process.env.CHAOS_KILLS ?? 100);
const CVMS = 6;
/** `npm test` has built the server, which starts faster than its sources do. */
const SERVER = process.env.TEST_BUILT
  ? [join(ROOT, 'dist/server/main.js')]
  : ['--import', 'tsx', join(ROOT, 'server/main.ts')];
const COMPOSE = 'services:\n  web:\n    image: nginx:alpine\n';

let dataDir: string;
let database: TestDatabase | null = null;
let port: number;
let child: ChildProcess | null = null;
let cookie = '';
const env = () => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  PORT: String(port),
  DATA_DIR: dataDir,
  LOG_LEVEL: 'warn',
  LOCAL_TEEPOD_ENGINE: 'simulate',
  LOCAL_TEEPOD_MAX_CVMS: '50',
  RECONCILE_SECONDS: '1',
  WRITES_PER_MINUTE: '1000000',
  ...(database ? { DATABASE_URL: database.url } : {}),
});

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'teehouse-chaos-'));
  // On the supervised database the server's own dies with it; on a given one only our connections do.
  if (process.env.TEST_DB === 'postgres') database = await createTestDatabase();
  port = await freePort();
});

afterAll(async () => {
  child?.kill('SIGTERM');
  if (child) await Promise.race([new Promise((resolve) => child?.once('exit', resolve)), wait(15_000)]);
  child?.kill('SIGKILL');
  await database?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

function startServer(): void {
  child = spawn(process.execPath, SERVER, {
    cwd: ROOT,
    env: env(),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function call(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown>; cookie?: string } | null> {
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
      ...(reply.headers.getSetCookie()[0]
        ? { cookie: reply.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
        : {}),
    };
  } catch {
    return null; // killed under the request: not acknowledged
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

const ready = () =>
  eventually(
    'the server is ready',
    async () => {
      if (child?.exitCode !== null && child?.exitCode !== undefined) startServer(); // the old lock was not free yet
      return (
        (
          await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(3_000) }).catch(
            () => null,
          )
        )?.status === 200
      );
    },
    60,
  );

/** What was acknowledged, by uuid: everything here must be true in the end. */
const acknowledged = new Map<string, 'exists' | 'deleted'>();

/** Changes that were acknowledged, to kill in the midst of work and not in the midst of a start. */
let accepted = 0;

/** One CVM after another: deployed, restarted twice, deleted; each step as often as it takes to be acknowledged. */
async function workload(stop: () => boolean, lane: number): Promise<void> {
  for (let round = 0; !stop(); round++) {
    const uuid = await deploy(stop, `chaos-${lane}-${round}`);
    if (!uuid) return;
    for (let times = 0; times < 2 && !stop(); times++) {
      await repeat(
        stop,
        async () => (await call('POST', `/cvms/${uuid}/restart`, { force: true }))?.status === 200,
      );
    }
    const deleted = await repeat(stop, async () => {
      const gone = await call('DELETE', `/cvms/${uuid}`);
      // 404: an earlier attempt whose answer was lost had been accepted.
      return gone?.status === 204 || gone?.status === 404;
    });
    if (deleted) acknowledged.set(uuid, 'deleted');
  }
}

async function deploy(stop: () => boolean, name: string): Promise<string | null> {
  let uuid: string | null = null;
  await repeat(stop, async () => {
    const provision = await call('POST', '/cvms/provision', {
      name,
      compose_file: { docker_compose_file: COMPOSE },
    });
    // The name is taken: the CVM of an attempt whose answer was lost. It is somebody's to find, not ours to count.
    if (provision?.status === 409) name += 'x';
    if (provision?.status !== 200) return false;
    const { app_id, compose_hash } = provision.body;
    const commit = await call('POST', '/cvms', { app_id, compose_hash });
    if (commit?.status !== 200) return false;
    uuid = String(commit.body.vm_uuid);
    acknowledged.set(uuid, 'exists');
    return true;
  });
  return uuid;
}

async function repeat(stop: () => boolean, attempt: () => Promise<boolean>): Promise<boolean> {
  while (!stop()) {
    if (await attempt()) {
      accepted += 1;
      return true;
    }
    await wait(20 + Math.random() * 80);
  }
  return false;
}

it(`survives ${KILLS} kills at random moments`, { timeout: 1_500_000 }, async () => {
  startServer();
  await ready();
  const registered = await call('POST', '/auth/register', {
    email: 'chaos@example.test',
    password: PASSWORD,
  });
  cookie = registered?.cookie ?? '';
  expect(cookie).toBeTruthy();
  await eventually(
    'the teepod is there',
    async () =>
      ((await call('GET', '/teepods/available'))?.body.nodes as unknown[] | undefined)?.length === 1,
  );

  let stopped = false;
  const lanes = Array.from({ length: CVMS }, (_, lane) => workload(() => stopped, lane));
  const kinds = ['server', 'teepod', 'both'] as const;
  for (let kill = 0; kill < KILLS; kill++) {
    const before = accepted;
    const since = Date.now();
    while (accepted === before && Date.now() - since < 8_000) await wait(20);
    await wait(Math.random() * 500);
    const kind = kinds[kill % 3];
    const pod = teepodPid();
    if (kind !== 'server' && pod) process.kill(pod, 'SIGKILL');
    if (kind !== 'teepod') {
      const dying = child;
      dying?.kill('SIGKILL');
      await new Promise((resolve) =>
        dying?.exitCode === null && dying.signalCode === null ? dying.once('exit', resolve) : resolve(null),
      );
      startServer();
      await ready();
    }
  }
  stopped = true;
  await Promise.all(lanes);

  const client = await connect();
  const query = async <R extends object>(text: string) =>
    (await client.query<R & pg.QueryResultRow>(text)).rows;
  await eventually(
    'every operation has ended',
    async () => (await query("select id from operations where state in ('queued', 'running')")).length === 0,
    120,
  );
  const late = await query(
    "select correlation_id from operations where finished_at > deadline_at + interval '15 seconds'",
  );
  expect(late).toEqual([]);

  const cvms = await query<{ vm_uuid: string; status: string; deleted_at: Date | null }>(
    'select vm_uuid, status, deleted_at from cvms',
  );
  const byUuid = new Map(cvms.map((cvm) => [cvm.vm_uuid, cvm]));
  for (const [uuid, state] of acknowledged) {
    const cvm = byUuid.get(uuid);
    expect(cvm, `acknowledged CVM ${uuid}`).toBeTruthy();
    if (state === 'deleted')
      expect(cvm?.deleted_at ?? cvm?.status, `acknowledged deletion of ${uuid}`).not.toBe('running');
  }
  const failedDeletions = await query(
    "select correlation_id, attempts, error_code, error_message, steps from operations where type = 'delete' and state = 'failed'",
  );
  if (failedDeletions.length > 0)
    console.info('chaos: deletions that failed once', JSON.stringify(failedDeletions));
  await eventually(
    'acknowledged deletions are done',
    async () => {
      const rows = await query<{ vm_uuid: string }>('select vm_uuid from cvms where deleted_at is not null');
      const gone = new Set(rows.map((row) => row.vm_uuid));
      return [...acknowledged].every(([uuid, state]) => state !== 'deleted' || gone.has(uuid));
    },
    60,
  );

  const driver = createVmmDriver({ url: `unix:${join(dataDir, 'teepod/vmm.sock')}` });
  const alive = await query<{ vm_uuid: string; status: string }>(
    'select vm_uuid, status from cvms where deleted_at is null',
  );
  await eventually(
    'each CVM is on the host exactly once, and nothing else',
    async () => {
      const page = await driver.status({ brief: true }).catch(() => null); // it may just be starting again
      if (!page) return false;
      const { vms } = page;
      const uuids = vms.map((vm) => uuidOfVmName(vm.name)).sort();
      const expected = (
        await query<{ vm_uuid: string }>(
          'select vm_uuid from cvms where deleted_at is null and host_vm_id is not null',
        )
      )
        .map((row) => row.vm_uuid)
        .sort();
      return JSON.stringify(uuids) === JSON.stringify(expected);
    },
    60,
  );
  await driver.close();
  const [held] = await query<{ leaked: number; missing: number; twice: number }>(`select
    (select count(*)::int from reservations r left join cvms c on c.id = r.cvm_id where r.cvm_id is not null and c.deleted_at is not null) as leaked,
    (select count(*)::int from cvms c where c.deleted_at is null and not exists (select 1 from reservations r where r.cvm_id = c.id)) as missing,
    (select count(*)::int from (select vm_uuid from cvms group by vm_uuid having count(*) > 1) d) as twice`);
  expect(held).toEqual({ leaked: 0, missing: 0, twice: 0 });
  const ended = await query<{ type: string; state: string; n: number }>(
    'select type, state, count(*)::int as n from operations group by 1, 2 order by 1, 2',
  );
  console.info(
    `chaos: ${KILLS} kills, ${accepted} changes and ${acknowledged.size} CVMs acknowledged, ${alive.length} alive in the end; operations ${ended.map((row) => `${row.type} ${row.state} ${row.n}`).join(', ')}`,
  );
  // What fails must fail for a reason the chaos explains, not because the control plane broke.
  const odd = await query(
    "select error_code, error_message from operations where state = 'failed' and error_code = 'ERR-00-009'",
  );
  expect(odd).toEqual([]);
  await client.end();
});

async function connect(): Promise<pg.Client> {
  let connection: pg.PoolConfig;
  if (database) connection = database.connection;
  else {
    const running = await connectRunning(loadConfig(env()));
    connection = running.connection;
    await running.pool.end();
  }
  const client = new pg.Client(connection);
  client.on('error', () => undefined); // the server it belongs to ends before we do
  await client.connect();
  return client;
}
