import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../db/core/client';
import { uuidOfVmName } from '../../domain/cvms/vmName';
import type { Report, SimulatedVm } from './chaosHosts';
import type { Acknowledged } from './chaosWork';

/** Invariants of a recovered installation. Each function returns its violations. */

/** Maximum of each kind listed in texts. */
const MAX_SHOWN = 5;
/** Operations end within this time of their deadline: if a worker was stopped, another waits for its lease. */
const LATE_SECONDS = 60;

function shown(what: string, found: readonly object[]): string[] {
  return found.length === 0
    ? []
    : [
        `${found.length} × ${what}: ${found
          .slice(0, MAX_SHOWN)
          .map((one) => JSON.stringify(one))
          .join(', ')}`,
      ];
}

async function none(db: Db, what: string, query: RawBuilder<object>): Promise<string[]> {
  return shown(what, (await query.execute(db)).rows);
}

const LIVES = sql<boolean>`(c.deleted_at is null or c.purge_at is not null)`;

/** Every operation has ended once, and no acknowledged one is missing. */
export async function operationFaults(db: Db, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const { rows } = await sql<{ request_id: string; n: number; deleted: boolean; failed: boolean }>`
    select o.request_id, count(*)::int as n, bool_and(c.deleted_at is not null) as deleted,
      bool_or(o.state = 'failed') as failed
    from operations o join cvms c on c.id = o.cvm_id where o.request_id is not null group by o.request_id`.execute(
    db,
  );
  const found = new Map(rows.map((row) => [row.request_id, row]));
  return [
    ...(await none(
      db,
      'operation in progress',
      sql`select id, type, state, attempts, lease_owner, lease_until, created_at, deadline_at from operations
        where state in ('queued', 'running')`,
    )),
    ...(await none(
      db,
      'operation that ended too late',
      sql`select id, type, state, attempts, created_at, deadline_at, finished_at from operations
        where finished_at > deadline_at + make_interval(secs => ${LATE_SECONDS})`,
    )),
    ...(await none(
      db,
      'operation that failed without a reason',
      sql`select id, type, error_code, error_message from operations
        where state = 'failed' and (error_code is null or coalesce(error_message, '') = '')`,
    )),
    ...(await none(
      db,
      'operation that failed for an unexpected reason',
      sql`select id, type, attempts, error_message, steps from operations where error_code = 'ERR-00-009'`,
    )),
    ...(await none(
      db,
      'operation whose end was not recorded exactly once',
      sql`select o.id, o.type, o.state, count(e.id)::int as ends from operations o
        left join events e on e.operation_id = o.id and e.kind in (o.type || '.succeeded', o.type || '.failed', o.type || '.cancelled')
        where o.state not in ('queued', 'running') group by o.id having count(e.id) <> 1`,
    )),
    ...(await none(
      db,
      'CVM between two states without an operation',
      sql`select c.id, c.name, c.status from cvms c where ${LIVES} and c.status not in ('running', 'stopped', 'error')
        and not exists (select from operations o where o.cvm_id = c.id and o.state in ('queued', 'running'))`,
    )),
    ...shown(
      'acknowledged request without exactly one operation',
      acknowledged
        .filter(({ request_id }) => found.get(request_id)?.n !== 1)
        .map((one) => ({ ...one, operations: found.get(one.request_id)?.n ?? 0 })),
    ),
    ...shown(
      'acknowledged deletion of a CVM that is still there',
      acknowledged.filter(({ request_id, action }) => {
        const row = found.get(request_id);
        return (action === 'delete' || action === 'recycle') && row && !row.deleted && !row.failed;
      }),
    ),
  ];
}

/** Hosts' reserved capacity equals their CVMs' usage. */
export async function capacityFaults(db: Db): Promise<string[]> {
  return [
    ...(await none(
      db,
      'host whose load differs from its reservations',
      sql`select l.teepod_id, l.reservations, count(r.id)::int as counted, l.vcpu, sum(r.vcpu)::int as vcpus,
          l.memory_mb, sum(r.memory_mb)::int as memory, l.disk_gb, sum(r.disk_gb)::int as disk
        from teepod_loads l join teepods t on t.id = l.teepod_id left join reservations r on r.teepod_id = l.teepod_id
        group by l.teepod_id, t.id
        having (l.reservations, l.vcpu, l.memory_mb, l.disk_gb, l.free_vcpu, l.free_memory_mb) is distinct from
          (count(r.id)::int, coalesce(sum(r.vcpu), 0)::int, coalesce(sum(r.memory_mb), 0)::int,
            coalesce(sum(r.disk_gb), 0)::int, t.max_vcpu - l.vcpu, t.max_memory_mb - l.memory_mb)`,
    )),
    ...(await none(
      db,
      'CVM without exactly one reservation of its size on its host',
      sql`select c.id, c.name, c.status, c.vcpu, c.memory_mb, c.disk_gb, c.teepod_id, c.purge_at,
          json_agg(json_build_array(r.teepod_id, r.vcpu, r.memory_mb, r.disk_gb, r.moving)) as reservations
        from cvms c left join reservations r on r.cvm_id = c.id where ${LIVES}
        group by c.id having count(r.id) <> 1 or bool_or(r.moving) or bool_or(r.teepod_id <> c.teepod_id
          or r.disk_gb <> c.disk_gb or (c.purge_at is null and (r.vcpu, r.memory_mb) <> (c.vcpu, c.memory_mb))
          or (c.purge_at is not null and c.status = 'stopped' and (r.vcpu, r.memory_mb) <> (0, 0)))`,
    )),
    ...(await none(
      db,
      'reservation of a CVM that is gone',
      sql`select r.id, c.id as cvm_id, c.name from reservations r join cvms c on c.id = r.cvm_id where not ${LIVES}`,
    )),
    ...(await none(
      db,
      'host that holds more than it has',
      sql`select l.* from teepod_loads l join teepods t on t.id = l.teepod_id
        where l.free_vcpu < 0 or l.free_memory_mb < 0 or l.disk_gb > t.max_disk_gb or l.reservations > t.max_cvms`,
    )),
    ...(await none(
      db,
      'host that is not recovered',
      sql`select id, name, reachable, drift, held_strays, last_seen_at,
          (select json_agg(json_build_array(c.id, c.status, c.desired, c.host_vm_id)) from cvms c
            where c.teepod_id = t.id and ${LIVES}) as cvms
        from teepods t where not reachable or drift > 0 or held_strays > 0`,
    )),
  ];
}

interface Row {
  vm_uuid: string;
  name: string;
  url: string;
  host_vm_id: string | null;
  status: string;
  lives: boolean;
  vcpu: number;
  memory_mb: number;
  disk_gb: number;
}

/** Each CVM has exactly its recorded VM in the recorded state, and hosts have no others. `urls`: the hosts' URLs. */
export async function vmFaults(db: Db, { vms, created }: Report, urls: readonly string[]): Promise<string[]> {
  const { rows } = await sql<Row>`
    select c.vm_uuid, c.name, t.url, c.host_vm_id, c.status, ${LIVES} as lives, c.vcpu, c.memory_mb, c.disk_gb
    from cvms c join teepods t on t.id = c.teepod_id`.execute(db);
  const byUuid = new Map(rows.map((row) => [row.vm_uuid, row]));
  const byOwner = new Map<string, SimulatedVm[]>();
  for (const vm of vms) {
    const uuid = uuidOfVmName(vm.name) ?? vm.name;
    byOwner.set(uuid, [...(byOwner.get(uuid) ?? []), vm]);
  }
  const owned = [...byOwner].flatMap(([uuid, all]) => all.map((vm) => ({ vm, row: byUuid.get(uuid) })));
  const isItsVm = ({ vm, row }: (typeof owned)[number]) =>
    row?.lives === true && row.host_vm_id === vm.id && row.url === urls[vm.host];
  const own = owned.filter(isItsVm);
  const known = new Set(own.map(({ row }) => row?.vm_uuid));
  return [
    ...shown(
      'CVM with several VMs',
      [...byOwner.values()].filter((all) => all.length > 1),
    ),
    ...shown(
      'VM that was created more than once',
      created.filter(([, times]) => times > 1),
    ),
    ...shown(
      'VM that no CVM owns',
      owned.filter((one) => !isItsVm(one)),
    ),
    ...shown(
      'CVM whose VM is missing',
      rows.filter((row) => row.lives && row.host_vm_id !== null && !known.has(row.vm_uuid)),
    ),
    ...shown(
      'VM in another state than its CVM',
      own.filter(({ vm, row }) => row?.status !== 'error' && row?.status !== vm.status),
    ),
    ...shown(
      'VM of another size than its CVM',
      own.filter(
        ({ vm, row }) =>
          row && (row.vcpu !== vm.vcpu || row.memory_mb !== vm.memory || row.disk_gb !== vm.disk_size),
      ),
    ),
  ];
}

/** Short summary for the report. */
export async function countsOf(db: Db): Promise<{ operations: string; failures: string; cvms: string }> {
  const list = async (query: RawBuilder<{ what: string; n: number }>) =>
    (await query.execute(db)).rows.map(({ what, n }) => `${n} ${what}`).join(', ') || 'none';
  return {
    operations: await list(
      sql`select type || ' ' || state as what, count(*)::int as n from operations group by type, state order by type, state`,
    ),
    failures: await list(
      sql`select coalesce(error_code, '') || ' ' || left(error_message, 80) as what, count(*)::int as n from operations
        where state = 'failed' group by 1 order by 2 desc limit 12`,
    ),
    cvms: await list(
      sql`select c.status || case when c.purge_at is null then '' else ' (recycle bin)' end as what, count(*)::int as n
        from cvms c where ${LIVES} group by 1 order by 1`,
    ),
  };
}
