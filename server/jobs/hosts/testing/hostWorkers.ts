import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Db } from '../../../db/core/client';
import { HOST_SHARDS } from '../../../domain/hosts/shards';
import { insertHost } from '../../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../../testing/database';
import { createHostShards, type HostShards } from '../hostShards';
import type { HostWork } from '../hostRounds';

export interface TestWorker {
  id: string;
  hosts: HostShards;
  /** Its clock, which stands still unless a test moves it. */
  clock: { ms: number };
  work: HostWork;
  /** Warnings and errors it logged. */
  lines: Record<string, unknown>[];
  /** Rounds cut short: task, and remaining hosts. */
  cuts: [task: string, left: number][];
}

let database: TestDatabase;
const workers: TestWorker[] = [];

/** Called by each test file. Sets up its own database; every test starts without workers and online hosts. */
export function prepareHostWorkers(): void {
  beforeAll(async () => void (database = await createTestDatabase()));
  afterEach(async () => {
    await Promise.allSettled(workers.splice(0).map(({ hosts }) => hosts.stop()));
    await sql`update host_shards set lease_owner = null, lease_until = null`.execute(db());
    await db().deleteFrom('workers').execute();
    await db().updateTable('teepods').set({ state: 'offline' }).execute();
  });
  afterAll(() => database.drop());
}

export const db = (): Db => database.db;
export const connection = () => database.connection;

/** @param dead IDs of ended processes on this machine */
export function hostWorker(id: string, given: { db?: Db; dead?: readonly string[] } = {}): TestWorker {
  const clock = { ms: 0 };
  const lines: Record<string, unknown>[] = [];
  const cuts: TestWorker['cuts'] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const hosts = createHostShards({
    db: given.db ?? db(),
    me: { id, role: 'worker', version: 'test' },
    isDead: (other) => given.dead?.includes(other) ?? false,
    now: () => clock.ms,
  });
  const log = pino({ level: 'warn' }, { write });
  const work = {
    db: given.db ?? db(),
    log,
    hosts,
    cutShort: (task: string, left: number) => void cuts.push([task, left]),
  };
  const worker = { id, hosts, clock, work, lines, cuts };
  workers.push(worker);
  return worker;
}

/** Runs some refreshes, so that every worker notices the others. */
export async function settle(...all: readonly TestWorker[]): Promise<void> {
  for (let times = 0; times < 3; times++) for (const { hosts } of all) await hosts.refresh();
}

/** Returns each worker's shards, and how often each shard occurs among them. */
export async function division(...all: readonly TestWorker[]) {
  const owned = await Promise.all(all.map(({ hosts }) => hosts.own()));
  const times = Array.from({ length: HOST_SHARDS }, () => 0);
  for (const shard of owned.flat()) times[shard]! += 1;
  return { owned, times };
}

export const EACH_ONCE: readonly number[] = Array.from({ length: HOST_SHARDS }, () => 1);

/** Expires a worker's leases and announcement, as time would. */
export async function expire({ id }: TestWorker): Promise<void> {
  await sql`update host_shards set lease_until = now() - interval '1 second' where lease_owner = ${id}`.execute(
    db(),
  );
  await sql`update workers set hosts_until = now() - interval '1 second' where id = ${id}`.execute(db());
}

/**
 * Inserts hosts that already have images, so that a round requests only their state. @returns their IDs in
 * order
 */
export async function insertHosts(count: number, url: (n: number) => string): Promise<number[]> {
  const { teepod } = await insertHost(db(), { kind: 'dstack_vmm' });
  const urls = Array.from({ length: count }, (_, n) => url(n));
  const { rows } = await sql<{ id: number }>`
    insert into teepods (node_id, kms_id, name, kind, url, reachable, max_cvms, max_vcpu, max_memory_mb, max_disk_gb)
    select ${teepod.node_id}, ${teepod.kms_id}, ${teepod.name} || '-' || n, 'dstack_vmm', url, true, 1, 1, 1, 1
    from unnest(${urls}::text[]) with ordinality as u (url, n) order by n returning id`.execute(db());
  await db().deleteFrom('teepods').where('id', '=', teepod.id).execute();
  await sql`insert into teepod_os_images (teepod_id, os_image_id)
    select t.id, i.id from teepods t, os_images i where i.name = 'dstack-0.6.0' and t.state <> 'offline'`.execute(
    db(),
  );
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}
