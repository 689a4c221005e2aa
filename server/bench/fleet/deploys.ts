import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../db/core/client';
import { uuidOfVmName } from '../../domain/cvms/vmName';
import { ms, quantile, type Options, type Part } from '../report';
import { register } from '../seed';
import { cpuMs, type Started } from '../serverProcess';
import type { Created } from './fakeHosts';
import { insertHosts, untilReached, withInstallation, WORKERS } from './installation';

const PER_SECOND = 50;
/** A team's changes wait for each other. */
const TEAMS = 10;
/** In progress at the same time, for the highest rate. */
const MAX_CONCURRENT = 16;
const COMPOSE = 'services:\n  web:\n    image: nginx:alpine\n';

/** Deployments at a fixed rate, however long earlier ones take, and at this machine's maximum rate. */
export async function fleetDeploys({ quick, say }: Options): Promise<Part> {
  const hosts = quick ? 50 : 1_000;
  const count = PER_SECOND * (quick ? 3 : 18);
  return withInstallation(
    { simulator: 'fakeHosts.ts', worker: { RECONCILE_SECONDS: '10' } },
    async ({ simulator, web, db, workers, startWorkers }) => {
      simulator.send({ hosts });
      const [urls] = (await once(simulator, 'message')) as [string[]];
      const { session } = await register(web.url);
      const teams = Array.from({ length: TEAMS }, (_, n) => `bench-team-${n}`);
      for (const slug of teams) await post({ url: web.url, session }, '/workspaces', { name: slug, slug });
      const deploy = (name: string, n: number) =>
        deployOne({ url: web.url, session, team: teams[n % TEAMS]! }, `${name}-${n}`);
      await db.connection().execute((one) => insertHosts(one, urls));
      await startWorkers();
      say(`${hosts} hosts`);
      await untilReached(db, hosts);
      // The first ones load code and don't count.
      for (let n = 0; n < 20; n++) await deploy('fleet-warm-up', n);
      say('the highest rate');
      const most = await highestRate(quick ? 100 : 300, (n) => deploy('fleet-highest', n));
      say(`${count} deployments`);
      const cpu = { web: cpuMs(web.pid), workers: cpuOf(workers) };
      const began = Date.now();
      const ended = await Promise.all(
        Array.from({ length: count }, async (_, n) => {
          await wait(Math.max(0, began + (n * 1000) / PER_SECOND - Date.now()));
          return deploy('fleet-deploy', n);
        }),
      );
      const all = ended.filter((one) => one !== null);
      const running = await untilRunning(db, all.length);
      const perDeployment = (used: number, before: number) => ms((used - before) / count);
      const used = `${perDeployment(cpuMs(web.pid), cpu.web)} of the web process, ${perDeployment(cpuOf(workers), cpu.workers)} of the workers`;
      simulator.send('report');
      const [created] = (await once(simulator, 'message')) as [Created[]];
      const createdAt = new Map(created.map(({ name, at }) => [uuidOfVmName(name), at]));
      const replies = all.map(({ committed, asked }) => committed - asked);
      const placed = all.map(({ committed, provisioned }) => committed - provisioned);
      const toHost = all.flatMap(({ vm_uuid, provisioned }) => {
        const at = createdAt.get(vm_uuid);
        return at === undefined ? [] : [at - provisioned];
      });
      const both = (values: number[]) =>
        `p50 ${ms(quantile(values, 0.5))}, p99 ${ms(quantile(values, 0.99))}`;
      return {
        title: `${PER_SECOND} deployments a second`,
        how: `${count} deployments of ${TEAMS} teams to ${hosts} simulated hosts through one web process, started at a fixed rate, with ${WORKERS} workers and one PostgreSQL, all on this machine. A deployment is a provision, which places it, and a commit. Before, the highest rate: ${MAX_CONCURRENT} in progress at a time.`,
        rows: [
          { what: 'highest rate', figures: `${most.toFixed(1)} a second` },
          { what: 'refused as too many', figures: `${count - all.length} of ${count}` },
          { what: 'provision and commit', figures: both(replies) },
          { what: 'commit', figures: both(placed), aim: 'p99 ≤ 500 ms' },
          {
            what: 'commit to CreateVm at the host',
            figures: `${both(toHost)}; ${toHost.length} of ${all.length} arrived, ${running} run`,
          },
          { what: 'processor time per deployment', figures: used },
        ],
      };
    },
  );
}

/** Returns deployments completed per second if each starts as soon as another ends. */
async function highestRate(count: number, deploy: (n: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const began = performance.now();
  const oneAfterAnother = async () => {
    while (next < count) await deploy(next++);
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, oneAfterAnother));
  return (count * 1000) / (performance.now() - began);
}

const cpuOf = (workers: readonly Started[]): number => workers.reduce((sum, { pid }) => sum + cpuMs(pid), 0);

async function untilRunning(db: Db, count: number): Promise<number> {
  for (const deadline = Date.now() + 2 * 60_000; ; await wait(500)) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from cvms where status = 'running' and name like 'fleet-deploy-%'`.execute(
      db,
    );
    const n = rows[0]?.n ?? 0;
    if (n >= count || Date.now() > deadline) return n;
  }
}

interface Deployment {
  vm_uuid: string;
  /** Milliseconds since 1970. */
  asked: number;
  provisioned: number;
  committed: number;
}

const now = () => performance.timeOrigin + performance.now();

interface Sender {
  url: string;
  session: string;
  team?: string;
}

/** @returns null if the server is too busy to accept it */
async function post(
  { url, session, team }: Sender,
  at: string,
  body: unknown,
): Promise<Record<string, unknown> | null> {
  const reply = await fetch(`${url}/api/v1${at}`, {
    method: 'POST',
    headers: {
      cookie: session,
      'content-type': 'application/json',
      ...(team === undefined ? {} : { 'x-workspace': team }),
    },
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  if (reply.status === 429 || reply.status === 503) return null;
  if (!reply.ok) throw new Error(`POST ${at} returned ${reply.status}: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}

/** @returns null if the server is too busy to accept it */
async function deployOne(sender: Sender, name: string): Promise<Deployment | null> {
  const asked = now();
  const provision = await post(sender, '/cvms/provision', {
    name,
    compose_file: { docker_compose_file: COMPOSE },
  });
  const provisioned = now();
  const { app_id, compose_hash } = provision ?? {};
  const cvm = provision && (await post(sender, '/cvms', { app_id, compose_hash }));
  return cvm && { vm_uuid: String(cvm.vm_uuid), asked, provisioned, committed: now() };
}
