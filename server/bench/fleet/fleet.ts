import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../db/core/client';
import { identityOf, insertApp, insertCvm, insertHost } from '../../testing/cvmFixtures';
import { freePort } from '../../tools/postgres';
import { rssMb } from '../logHost';
import type { Options, Part } from '../report';
import { EMAIL, register } from '../seed';
import { cpuMs, startSource, stopChild, until, type Started } from '../serverProcess';
import type { BareWork } from './bare';
import { withInstallation, WORKERS } from './installation';

const CVMS = 100;
/** Measured rounds, after a first one. */
const ROUNDS = 3;

interface Size {
  hosts: number;
  cvms: number;
  aim?: string;
}

export const fleet = (options: Options): Promise<Part> =>
  measure(options, options.quick ? { hosts: 50, cvms: 20 } : { hosts: 1_000, cvms: CVMS, aim: '10 s' });

export const largeFleet = (options: Options): Promise<Part> =>
  measure(options, options.quick ? { hosts: 200, cvms: 20 } : { hosts: 10_000, cvms: CVMS, aim: '60 s' });

/** Duration and resources for several workers to compare a whole fleet with the database. */
async function measure({ say }: Options, { hosts, cvms, aim }: Size): Promise<Part> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  return withInstallation(
    { simulator: 'hosts.ts', worker: { RECONCILE_SECONDS: '1', METRICS_SECONDS: '300' } },
    async ({ postgres, simulator, web, db, workers, startWorkers }) => {
      simulator.send({ port, hosts, cvms });
      await until(`${url}/asked`, simulator);
      const asked = async () => Number(await (await fetch(`${url}/asked`)).text());
      await register(web.url);
      say(`${hosts} hosts with ${cvms} CVMs each`);
      await db.connection().execute((one) => fill(one, url, { hosts, cvms }));
      say('the bare cost');
      const bare = await bareSeconds(db, postgres.url);
      const before = await operations(db);
      await startWorkers();
      say('the first round');
      // Each worker has its share by then.
      const start = await asked();
      await untilAsked(asked, start + 2 * hosts);
      const cpu = cpu_s(workers);
      const [from, began] = [await asked(), performance.now()];
      say(`${ROUNDS} rounds`);
      await untilAsked(asked, from + ROUNDS * hosts);
      const seconds = (performance.now() - began) / 1000;
      const rounds = ((await asked()) - from) / hosts;
      const round = seconds / rounds;
      const faults = await faultsOf(db, before);
      if (faults !== null) throw new Error(faults);
      return {
        title: `A fleet of ${hosts} hosts`,
        how: `${WORKERS} workers reconcile ${hosts} simulated hosts with ${cvms} CVMs each, over HTTP, with one PostgreSQL, all on this machine. Baseline: as many processes that only ask each host for its state, read its CVMs and write that it responded. Nothing differed, so nothing was to be repaired.`,
        rows: [
          {
            what: `a round over ${hosts * cvms} CVMs`,
            figures: `${round.toFixed(1)} s, ${(round / bare).toFixed(1)} times the bare cost`,
            ...(aim === undefined ? {} : { aim: `${aim}, twice the bare cost` }),
          },
          {
            what: 'memory of a worker',
            figures: `${Math.max(...workers.map(({ pid }) => rssMb(pid))).toFixed(0)} MB at most`,
            aim: '300 MB',
          },
          {
            what: 'processor time of the workers per round',
            figures: `${((cpu_s(workers) - cpu) / rounds).toFixed(1)} s`,
          },
        ],
      };
    },
  );
}

const cpu_s = (workers: readonly Started[]): number =>
  workers.reduce((sum, { pid }) => sum + cpuMs(pid), 0) / 1000;

async function untilAsked(asked: () => Promise<number>, count: number): Promise<void> {
  for (const deadline = Date.now() + 30 * 60_000; (await asked()) < count; await wait(50))
    if (Date.now() > deadline) throw new Error('the workers took more than half an hour');
}

const operations = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from operations`.execute(db);
  return rows[0]?.count ?? 0;
};

/** Inserts the simulated hosts, each with its running CVMs and its image. */
async function fill(db: Db, url: string, { hosts, cvms }: Pick<Size, 'hosts' | 'cvms'>): Promise<void> {
  await sql`set statement_timeout = 0`.execute(db);
  const who = await identityOf(db, EMAIL);
  const host = await insertHost(db, { name: 'fleet', kind: 'dstack_vmm' });
  const { app, revision } = await insertApp(db, { ...who, host, name: 'fleet' });
  const cvm = await insertCvm(db, { app, revision, host, user_id: who.user_id });
  await sql`
    insert into teepods (node_id, kms_id, name, kind, url, reachable, max_cvms, max_vcpu, max_memory_mb, max_disk_gb)
    select node_id, kms_id, 'fleet-' || n, kind, ${`${url}/hosts/`} || n, true, 1000, 10000, 10000000, 100000
    from teepods, generate_series(1, ${hosts}::int) n where id = ${host.teepod.id}`.execute(db);
  await sql`
    insert into teepod_os_images (teepod_id, os_image_id)
    select t.id, i.id from teepods t, os_images i where i.name = 'dstack-0.6.0' and t.name like 'fleet-%'`.execute(
    db,
  );
  await sql`
    insert into cvms (public_id, vm_uuid, team_id, app_id, revision_id, teepod_id, kms_id, name, status, desired,
      host_vm_id, instance_id, instance_type, vcpu, memory_mb, disk_gb, hourly_rate_micros, os_image, env_pubkey,
      public_logs, public_sysinfo, public_tcbinfo, storage_fs, boot_progress, started_at, created_by, created_at)
    select 'cvm_' || left(md5('public' || own), 16), md5('cvm' || own)::uuid, c.team_id, c.app_id, c.revision_id, t.id,
      c.kms_id, t.name || '-' || n, 'running', 'running', md5('vm' || own)::uuid::text,
      left(encode(sha256(('instance' || own)::bytea), 'hex'), 40), c.instance_type, c.vcpu, c.memory_mb, c.disk_gb,
      c.hourly_rate_micros, c.os_image, c.env_pubkey, c.public_logs, c.public_sysinfo, c.public_tcbinfo, c.storage_fs,
      'done', now() - interval '3 days', c.created_by, now() - interval '3 days'
    from cvms c, teepods t, generate_series(1, ${cvms}::int) n, lateral (select substr(t.name, 7) || '/' || n as own) o
    where c.id = ${cvm.id} and t.name like 'fleet-%'`.execute(db);
  // Nothing listens there; jobs ignore an offline host.
  await sql`update teepods set state = 'offline' where id = ${host.teepod.id}`.execute(db);
  await sql`vacuum (analyze) cvms, teepods`.execute(db);
}

async function bareSeconds(db: Db, databaseUrl: string): Promise<number> {
  const { rows: hosts } = await sql<{ id: number; url: string }>`
    select id, url from teepods where state <> 'offline'`.execute(db);
  const children = Array.from({ length: WORKERS }, () => startSource('fleet/bare.ts'));
  try {
    // Their startup doesn't count.
    await wait(3_000);
    const began = performance.now();
    const replies = children.map((child, n) => {
      const work: BareWork = { databaseUrl, hosts: hosts.filter((_, i) => i % WORKERS === n) };
      child.send(work);
      return once(child, 'message') as Promise<[{ seen: number }]>;
    });
    const seen = (await Promise.all(replies)).reduce((sum, [reply]) => sum + reply.seen, 0);
    const seconds = (performance.now() - began) / 1000;
    const { rows } = await sql<{ count: number }>`select count(*)::int as count
      from cvms c join teepods t on t.id = c.teepod_id where t.state <> 'offline'`.execute(db);
    if (seen !== rows[0]?.count) throw new Error(`the baseline saw ${seen} of ${rows[0]?.count} CVMs`);
    return seconds;
  } finally {
    await Promise.all(children.map(stopChild));
  }
}

/** Returns the rounds' false findings; null without any. */
async function faultsOf(db: Db, operations_before: number): Promise<string | null> {
  const { rows } = await sql<{ hosts: number; cvms: number }>`select
    (select count(*)::int from teepods where state <> 'offline' and (not reachable or drift > 0)) as hosts,
    (select count(*)::int from cvms where status <> 'running') as cvms`.execute(db);
  const { hosts = 0, cvms = 0 } = rows[0] ?? {};
  const begun = (await operations(db)) - operations_before;
  return hosts + cvms + begun === 0
    ? null
    : `${hosts} hosts differ, ${cvms} CVMs don't run, ${begun} operations began`;
}
