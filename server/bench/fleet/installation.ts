import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../db/core/client';
import { fakeKmsRoot } from '../../drivers/vmm/fakeKms';
import { insertHost } from '../../testing/cvmFixtures';
import { startPostgres, type ThrowAwayPostgres } from '../../tools/postgres';
import { startServerProcess, startSource, stopChild, withServer, type Started } from '../serverProcess';

/** Matches the fleet's targets. */
export const WORKERS = 4;

interface InstallationOptions {
  /** File of this folder that simulates the hosts, in a separate process. */
  simulator: string;
  /** Environment of each worker. */
  worker: Record<string, string>;
  /** Whether the database is restarted during the run. */
  durable?: boolean;
}

/** A fleet's processes: PostgreSQL, simulated hosts, one web process and the started workers. */
export interface Installation {
  postgres: ThrowAwayPostgres;
  simulator: ChildProcess;
  dataDir: string;
  web: Started;
  db: Db;
  /** Excludes those started with `startWorker`. */
  workers: Started[];
  startWorkers(): Promise<void>;
  /** Starts an additional worker, which the caller stops. */
  startWorker(): Promise<Started>;
}

/** Starts all but the workers, and stops everything after `work`. */
export async function withInstallation<T>(
  { simulator: file, worker, durable = false }: InstallationOptions,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const postgres = await startPostgres({ durable });
  const simulator = startSource(`fleet/${file}`);
  const shared = { DATABASE_URL: postgres.url, LOCAL_TEEPOD: 'off' };
  try {
    return await withServer({ ...shared, TEEHOUSE_ROLE: 'web' }, async ({ server: web, db }) => {
      const { dataDir } = web;
      const workers: Started[] = [];
      const startWorker = () =>
        startServerProcess(dataDir, { ...shared, TEEHOUSE_ROLE: 'worker', ...worker });
      try {
        return await work({
          postgres,
          simulator,
          dataDir,
          web,
          db,
          workers,
          startWorker,
          async startWorkers() {
            for (let n = 0; n < WORKERS; n++) workers.push(await startWorker());
          },
        });
      } finally {
        await Promise.all(workers.map((one) => one.stop()));
      }
    });
  } finally {
    await stopChild(simulator);
    await postgres.stop();
  }
}

/** Inserts hosts at these addresses, all with the key service of the first. */
export async function insertHosts(db: Db, urls: readonly string[]): Promise<void> {
  const [first = ''] = urls;
  const { kms, teepod } = await insertHost(db, { name: 'fleet', url: first, kind: 'dstack_vmm' });
  await db
    .updateTable('kms')
    .set({ url: `${first}/kms`, k256_pubkey: fakeKmsRoot.k256_pubkey })
    .where('id', '=', kms.id)
    .execute();
  await sql`
    insert into teepods (node_id, kms_id, name, kind, url, reachable, version, max_cvms, max_vcpu, max_memory_mb,
      max_disk_gb, gateway_base_domain)
    select node_id, kms_id, 'fleet-' || n, kind, url.address, true, version, max_cvms, max_vcpu, max_memory_mb,
      max_disk_gb, gateway_base_domain
    from teepods, unnest(${urls.slice(1)}::text[]) with ordinality url (address, n) where id = ${teepod.id}`.execute(
    db,
  );
  await sql`insert into teepod_os_images (teepod_id, os_image_id)
    select t.id, i.id from teepods t, os_images i where i.name = 'dstack-0.6.0'`.execute(db);
  await sql`analyze`.execute(db);
}

/** Waits until the workers have queried every host. */
export async function untilReached(db: Db, hosts: number): Promise<void> {
  for (const deadline = Date.now() + 5 * 60_000; ; await wait(500)) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from teepods where last_seen_at is not null`.execute(db);
    if ((rows[0]?.n ?? 0) >= hosts) return;
    if (Date.now() > deadline)
      throw new Error(`${rows[0]?.n} of ${hosts} hosts were reached in five minutes`);
  }
}
