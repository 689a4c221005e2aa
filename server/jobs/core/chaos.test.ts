import { expect, it } from 'vitest';
import { uuidOfVmName } from '../../domain/cvms/vmName';
import { startChaosServer, type ChaosServer } from '../../testing/chaosServer';
import { eventually } from '../../testing/server';

/**
 * kill -9 of the server, of the local teepod and of both, at random moments during deploys, restarts and deletes.
 * Afterwards every operation has ended, no CVM exists twice, no acknowledged change is lost, and no reservation leaks.
 * Two servers are killed side by side, because most of a kill is waiting for the next start. `CHAOS_KILLS` sets how often.
 */
const KILLS = Number(process.env.CHAOS_KILLS ?? 24);
const SERVERS = ['the first server', 'the second server'];
const CVMS = 6;
const COMPOSE = 'services:\n  web:\n    image: nginx:alpine\n';

/** Acknowledged changes of one server by UUID: all of them must hold at the end. */
type Acknowledged = Map<string, 'exists' | 'deleted'>;

/** Deploys, restarts twice and deletes one CVM after another, retrying each step until it is acknowledged. */
async function workload(
  server: ChaosServer,
  acknowledged: Acknowledged,
  stop: () => boolean,
  lane: number,
): Promise<void> {
  for (let round = 0; !stop(); round++) {
    const made = await server.deploy(stop, `chaos-${lane}-${round}`, COMPOSE);
    if (!made) return;
    const uuid = String(made.vm_uuid);
    acknowledged.set(uuid, 'exists');
    for (let times = 0; times < 2 && !stop(); times++) {
      await server.repeat(
        stop,
        async () => (await server.call('POST', `/cvms/${uuid}/restart`, { force: true }))?.status === 200,
      );
    }
    const deleted = await server.repeat(stop, async () => {
      const gone = await server.call('DELETE', `/cvms/${uuid}`);
      // A 404 means that an earlier attempt was accepted and its response lost.
      return gone?.status === 204 || gone?.status === 404;
    });
    if (deleted) acknowledged.set(uuid, 'deleted');
  }
}

it.concurrent.each(SERVERS)('%s survives its kills at random moments', { timeout: 1_500_000 }, async () => {
  const server = await startChaosServer();
  try {
    await survives(server, Math.ceil(KILLS / SERVERS.length));
  } finally {
    await server.close();
  }
});

async function survives(server: ChaosServer, kills: number): Promise<void> {
  const acknowledged: Acknowledged = new Map();
  let stopped = false;
  const lanes = Array.from({ length: CVMS }, (_, lane) =>
    workload(server, acknowledged, () => stopped, lane),
  );
  await server.killOften(kills);
  stopped = true;
  await Promise.all(lanes);

  const { query } = server;
  await eventually(
    'every operation has ended',
    async () => (await query("select id from operations where state in ('queued', 'running')")).length === 0,
    120,
  );
  expect(await server.late()).toEqual([]);

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

  const driver = server.driver();
  const alive = await query<{ vm_uuid: string; status: string }>(
    'select vm_uuid, status from cvms where deleted_at is null',
  );
  await eventually(
    'each CVM is on the host exactly once, and nothing else',
    async () => {
      const page = await driver.status({ brief: true }).catch(() => null); // it may just be restarting
      if (!page) return false;
      const { vms } = page;
      const uuids = vms.map((vm) => uuidOfVmName(vm.name)).sort();
      const expected = (
        await query<{ vm_uuid: string }>(
          'select vm_uuid from cvms where (deleted_at is null or purge_at is not null) and host_vm_id is not null',
        )
      )
        .map((row) => row.vm_uuid)
        .sort();
      return JSON.stringify(uuids) === JSON.stringify(expected);
    },
    60,
  );
  await driver.close();
  const [held] = await query<{ leaked: number; overheld: number; missing: number; twice: number }>(`select
    (select count(*)::int from reservations r left join cvms c on c.id = r.cvm_id where r.cvm_id is not null and c.deleted_at is not null and c.purge_at is null) as leaked,
    (select count(*)::int from reservations r join cvms c on c.id = r.cvm_id
      where c.purge_at is not null and c.status = 'stopped' and (r.vcpu > 0 or r.memory_mb > 0)) as overheld,
    (select count(*)::int from cvms c where (c.deleted_at is null or c.purge_at is not null) and not exists (select 1 from reservations r where r.cvm_id = c.id)) as missing,
    (select count(*)::int from (select vm_uuid from cvms group by vm_uuid having count(*) > 1) d) as twice`);
  expect(held).toEqual({ leaked: 0, overheld: 0, missing: 0, twice: 0 });
  const ended = await query<{ type: string; state: string; n: number }>(
    'select type, state, count(*)::int as n from operations group by 1, 2 order by 1, 2',
  );
  console.info(
    `chaos: ${kills} kills, ${server.accepted()} changes and ${acknowledged.size} CVMs acknowledged, ${alive.length} alive in the end; operations ${ended.map((row) => `${row.type} ${row.state} ${row.n}`).join(', ')}`,
  );
  // Failures must come from the kills, not from a bug in the control plane.
  const odd = await query(
    "select error_code, error_message from operations where state = 'failed' and error_code = 'ERR-00-009'",
  );
  expect(odd).toEqual([]);
}
