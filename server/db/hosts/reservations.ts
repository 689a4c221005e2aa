import { sql, type Kysely, type RawBuilder } from 'kysely';
import { prepared, type Tx } from '../core/client';
import { takeGpus } from './gpus';
import {
  fitsBeside,
  freeGpusBeside,
  gpuStock,
  joinHeld,
  joinHeldOnEach,
  offerUsedBy,
  type HeldBy,
} from './waits/heldRoom';
import { lockPorts, takenPorts } from './hostPorts';
import type { Database } from '../core/schema';
import type { TeamRow } from '../teams/teamsTable';
import { cvmSlots } from './cvmSlots';
import { TAKES_CVMS } from './takesCvms';
import { hasGpus } from '../../domain/hosts/gpuFit';
import { unsupportedAttachment, type PortMapping } from '../../domain/hosts/attachments';
import { roomOf, type PlacementPolicy, type Size, type Wish } from '../../domain/hosts/scheduler';

/** Free capacity of each teepod this team may use, best first; a snapshot that `reserve` re-checks under lock. */
export interface TeepodCapacity extends Size {
  teepod_id: number;
  node_id: number;
  teepod_name: string;
  kind: 'dstack_vmm' | 'local';
  /** dstack-vmm version; null before its first reply. */
  version: string | null;
  region: string | null;
  slots: number;
  /** CVMs and open deployments on it. */
  reservations: number;
  kms_id: number | null;
  /** Its own key service and further ones; see `teepod_kms`. */
  kms_ids: number[];
  /** Device of its machine. */
  device_id: string | null;
  reachable: boolean;
  /** Free GPUs a CVM of this team could have. */
  gpus: number;
  /** All GPUs it reports. */
  host_gpus: number;
  port_mapping: boolean;
  attach_all_gpus: boolean;
  /** Null while unknown. */
  tee: 'tdx' | 'sev_snp' | null;
}

const LIVE = sql<boolean>`(r.expires_at is null or r.expires_at > now())`;

export interface CapacityQuery {
  team_id: number;
  teepod_id?: number;
  /** Includes hosts closed to new CVMs; for error texts. */
  include_closed?: boolean;
  /** Includes hosts that the team may not use; for administrators. */
  include_foreign?: boolean;
  /**
   * Limit, preferring hosts with the most free slots. Unlimited when absent, because an omitted host would look
   * as if it didn't exist.
   */
  limit?: number;
  /** Whose held room counts as taken; that of other teams by default. */
  held_by?: HeldBy;
}

export async function teepodCapacities(
  db: Kysely<Database>,
  { team_id, teepod_id, include_closed, include_foreign, limit, held_by = 'others' }: CapacityQuery,
): Promise<TeepodCapacity[]> {
  // Every reservation queries its host while others wait for it.
  const [how, which] = teepod_id === undefined ? [sql``, sql``] : [prepared, sql`and t.id = ${teepod_id}`];
  const { rows } = await sql<TeepodCapacity>`${how}
    select ${capacity(team_id, held_by)} ${HOSTS} ${joinHeld(team_id, held_by)}
    where (${include_foreign ?? false} or ${openToTeam(team_id)}) ${which}
      and (${include_closed ?? false} or ${TAKES_CVMS})
    order by slots desc, t.id
    limit ${limit ?? null}::int`.execute(db);
  return rows;
}

export interface RoomQuery {
  team_id: number;
  wish: Wish;
  policy: PlacementPolicy;
  /** Hosts to exclude. */
  except: ReadonlySet<number>;
  limit: number;
  /** As in {@link CapacityQuery}. */
  held_by?: HeldBy;
}

/**
 * Returns hosts with room for this, in the order of `rank`. Reads along an index and stops at the limit, so the
 * cost doesn't depend on the fleet's size. Expired reservations count until they are deleted, so hosts that
 * have room only without them are missing.
 */
export async function teepodsWithRoom(db: Kysely<Database>, query: RoomQuery): Promise<TeepodCapacity[]> {
  const { gpus = 0 } = query.wish;
  const free = freeGpusBeside(query.team_id, query.held_by ?? 'others');
  const read = async (suits: RawBuilder<boolean>) => {
    const found: TeepodCapacity[] = [];
    for (const part of PARTS[query.policy]) {
      const limit = query.limit - found.length;
      if (limit > 0) found.push(...(await roomQuery({ ...query, limit }, part, suits).execute(db)).rows);
    }
    return found;
  };
  if (gpus > 0) return read(sql<boolean>`${free} >= ${gpus}`);
  const withoutGpus = await read(sql<boolean>`${free} = 0`);
  return withoutGpus.length > 0 ? withoutGpus : read(sql<boolean>`${free} > 0`);
}

/** Hosts that a query reads along one index, and that index's order. */
interface RoomPart {
  of: (size: Size) => RawBuilder<boolean>;
  order: RawBuilder<unknown>;
}

const FULLEST = sql`l.room, l.free_memory_mb, l.free_vcpu, l.teepod_id`;

/** The order of `rank` in parts, each with an index of its own. */
const PARTS: Record<PlacementPolicy, readonly [RoomPart, ...RoomPart[]]> = {
  spread: [
    { of: () => sql<boolean>`true`, order: sql`l.free_memory_mb desc, l.free_vcpu desc, l.teepod_id` },
  ],
  // Begins behind the full hosts, which are many.
  pack: [
    { of: (size) => sql<boolean>`l.reservations > 0 and l.room >= ${roomOf(size)}`, order: FULLEST },
    { of: (size) => sql<boolean>`l.reservations = 0 and l.room >= ${roomOf(size)}`, order: FULLEST },
  ],
};

/** The first statement of `teepodsWithRoom`, for tests of its cost. */
export const firstRoomQuery = (query: RoomQuery): RawBuilder<TeepodCapacity> =>
  roomQuery(query, PARTS[query.policy][0], sql<boolean>`true`);

/** @param suits a further condition */
function roomQuery(
  { team_id, wish: { size, region }, except, limit, held_by = 'others' }: RoomQuery,
  { of, order }: RoomPart,
  suits: RawBuilder<boolean>,
): RawBuilder<TeepodCapacity> {
  return sql<TeepodCapacity>`${prepared}
    select ${capacity(team_id, held_by)} ${HOSTS} ${joinHeldOnEach(team_id, held_by)}
    where ${openToTeam(team_id)} and ${TAKES_CVMS}
      and l.free_memory_mb >= ${size.memory_mb} and l.free_vcpu >= ${size.vcpu}
      and l.free_disk_gb >= ${size.disk_gb} and l.free_slots > 0 and ${fitsBeside(size, team_id, held_by)}
      and (${region ?? null}::text is null or n.region = ${region ?? null}) and t.id <> all(${[...except]}::bigint[])
      and ${of(size)} and ${suits}
    order by ${order}
    limit ${limit}`;
}

const HOSTS = sql`
  from teepod_loads l
  join teepods t on t.id = l.teepod_id
  join nodes n on n.id = t.node_id
  left join (
    select teepod_id, count(*)::int as reservations, sum(vcpu)::int as vcpu, sum(memory_mb)::int as memory_mb,
      sum(disk_gb)::int as disk_gb
    from reservations where expires_at <= now() group by teepod_id
  ) x on x.teepod_id = t.id`;

const capacity = (team_id: number, held_by: HeldBy) => sql`
  t.id as teepod_id, t.node_id, t.name as teepod_name, t.kind, t.version, n.region, t.kms_id, n.device_id, t.reachable,
  array(select t.kms_id::int where t.kms_id is not null
    union select k.kms_id::int from teepod_kms k where k.teepod_id = t.id) as kms_ids,
  ${cvmSlots} - l.reservations + coalesce(x.reservations, 0) - coalesce(o.slots, 0) as slots,
  l.reservations - coalesce(x.reservations, 0) as reservations,
  l.free_vcpu + coalesce(x.vcpu, 0) - coalesce(o.vcpu, 0) as vcpu,
  l.free_memory_mb + coalesce(x.memory_mb, 0) - coalesce(o.memory_mb, 0) as memory_mb,
  t.max_disk_gb - l.disk_gb + coalesce(x.disk_gb, 0) - coalesce(o.disk_gb, 0) as disk_gb,
  ${freeGpusBeside(team_id, held_by)} as gpus, t.port_mapping, t.attach_all_gpus, t.tee,
  (select count(*)::int from gpus g where g.teepod_id = t.id and g.reported) as host_gpus`;

/** Whether the team may use teepod `t`. */
export const openToTeam = (team_id: number) => sql<boolean>`
  (t.all_teams or exists (select 1 from teepod_teams tt where tt.teepod_id = t.id and tt.team_id = ${team_id}))`;

/** A reservation to make. */
export interface Take {
  teepod_id: number;
  team_id: number;
  size: Size;
  /** How many; none when absent. */
  gpus?: number;
  /** They are all GPUs of the host. */
  all_gpus?: boolean;
  /** Host ports. */
  ports?: readonly PortMapping[];
  /** Their products, one entry each, null for any; any products when absent. */
  products?: readonly (string | null)[];
  provision_id?: number;
  cvm_id?: number;
  ttl_seconds?: number;
  /** In addition to the CVM's reservation on its current host. */
  moving?: boolean;
}

/**
 * Reserves `size` and GPUs on one teepod for a provision. Locks the teepod row, so that no two deployments
 * get the same capacity; returns false, taking nothing, when another was faster. A deployment of what the team was
 * offered on the waitlist uses the offer, which ends once it is committed.
 */
export async function reserve(trx: Tx, take: Take): Promise<boolean> {
  // Not FOR UPDATE: provisions refer to the row, so two of them would each hold it for their reference and deadlock.
  await trx.selectFrom('teepods').select('id').where('id', '=', take.teepod_id).forNoKeyUpdate().execute();
  return reserveLocked(trx, take);
}

/** Locks the first of these teepods on which no other transaction is reserving; undefined if each has one. */
export async function lockFirstIdle(trx: Tx, teepod_ids: readonly number[]): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`${prepared}
    select id::int from teepods where id = any(${teepod_ids}::bigint[])
    order by array_position(${teepod_ids}::bigint[], id) limit 1 for no key update skip locked`.execute(trx);
  return rows[0]?.id;
}

/** Like {@link reserve}, on a teepod that this transaction has locked. */
export async function reserveLocked(trx: Tx, take: Take): Promise<boolean> {
  const [free] = await teepodCapacities(trx, { team_id: take.team_id, teepod_id: take.teepod_id });
  const { size, gpus = 0, all_gpus = false, ports = [], products } = take;
  if (
    !free ||
    free.slots < 1 ||
    free.vcpu < size.vcpu ||
    free.memory_mb < size.memory_mb ||
    free.disk_gb < size.disk_gb ||
    free.gpus < gpus ||
    unsupportedAttachment({ ports, gpus, all_gpus }, free) !== null
  )
    return false;
  if (ports.length > 0) await lockPorts(trx, take.teepod_id);
  if ((await takenPorts(trx, [take.teepod_id], ports)).length > 0) return false;
  if (products && !hasGpus(await gpuStock(trx, [take.teepod_id], take.team_id), products)) return false;
  const { id: reservation_id } = await trx
    .with('made', (cte) =>
      cte
        .insertInto('reservations')
        .values({
          teepod_id: take.teepod_id,
          team_id: take.team_id,
          provision_id: take.provision_id ?? null,
          cvm_id: take.cvm_id ?? null,
          vcpu: size.vcpu,
          memory_mb: size.memory_mb,
          disk_gb: size.disk_gb,
          moving: take.moving ?? false,
          expires_at: take.provision_id ? new Date(Date.now() + (take.ttl_seconds ?? 900) * 1000) : null,
        })
        .returning('id'),
    )
    .with('used', (cte) =>
      cte
        .updateTable('gpu_waits')
        .set(({ selectFrom }) =>
          take.provision_id
            ? { reservation_id: selectFrom('made').select('made.id') }
            : { held_until: null, reservation_id: null },
        )
        .where('id', '=', offerUsedBy({ teepod_id: take.teepod_id, team_id: take.team_id, size, gpus }))
        // A drain only moves what the team already has.
        .where(sql<boolean>`${take.moving !== true}`)
        .returning('id'),
    )
    .selectFrom('made')
    .select('id')
    .modifyEnd(prepared)
    .executeTakeFirstOrThrow();
  const { teepod_id, team_id } = take;
  // Counted under the same lock.
  if (
    !(await takeGpus(trx, {
      teepod_id,
      team_id,
      reservation_id,
      count: gpus,
      ...(products ? { products } : {}),
    }))
  )
    throw new Error(`GPUs of teepod ${teepod_id} were taken without its lock`);
  return true;
}

const openProvisions = (team_id: number, name: string) =>
  sql`select id from provisions where team_id = ${team_id} and name = ${name} and committed_at is null`;

/** Returns whether a CVM of the team has this name, and whether its open provisions of this name hold anything. */
export async function nameUse(
  db: Kysely<Database>,
  team_id: number,
  name: string,
): Promise<{ is_taken: boolean; holds_capacity: boolean }> {
  const { rows } = await sql<{ is_taken: boolean; holds_capacity: boolean }>`${prepared}
    select exists (select from cvms where team_id = ${team_id} and name = ${name} and deleted_at is null) as is_taken,
      exists (select from reservations where provision_id in (${openProvisions(team_id, name)})) as holds_capacity`.execute(
    db,
  );
  return rows[0]!;
}

/**
 * Releases the holds of the team's open provisions with this name; they can still be committed, and then
 * reserve again.
 */
export async function releaseOpenProvisions(trx: Tx, team_id: number, name: string): Promise<void> {
  const theirs = sql`provision_id in (${openProvisions(team_id, name)})`;
  // Hosts before their reservations, as in `reserve`.
  await sql`select id from teepods where id in (select teepod_id from reservations where ${theirs})
    order by id for no key update`.execute(trx);
  await sql`delete from reservations where ${theirs}`.execute(trx);
}

type Usage = Size & { cvms: number };

const usage = (team_id: number) => sql`
  select count(*) filter (where vcpu > 0)::int as cvms, coalesce(sum(vcpu), 0)::int as vcpu, coalesce(sum(memory_mb), 0)::int as memory_mb,
    coalesce(sum(disk_gb), 0)::int as disk_gb
  from reservations r where team_id = ${team_id} and not moving and ${LIVE}`;

/**
 * Returns the team's current usage, for comparison with its quota. A CVM in the recycle bin holds only its
 * disk; one being moved counts once.
 */
export async function teamUsage(db: Kysely<Database>, team_id: number): Promise<Usage> {
  const { rows } = await sql<Usage>`${usage(team_id)}`.execute(db);
  return rows[0] ?? { cvms: 0, vcpu: 0, memory_mb: 0, disk_gb: 0 };
}

type Limits = Pick<TeamRow, 'max_cvms' | 'max_vcpu' | 'max_memory_mb' | 'max_disk_gb'>;

/** Returns the team's quota with its current usage. */
export async function teamQuota(db: Kysely<Database>, team_id: number): Promise<Limits & Usage> {
  const { rows } = await sql<Limits & Usage>`${prepared}
    select t.max_cvms, t.max_vcpu, t.max_memory_mb, t.max_disk_gb, used.*
    from teams t, (${usage(team_id)}) used where t.id = ${team_id}`.execute(db);
  return rows[0]!;
}

/** Sets a CVM's reservation to exactly its size; while resizing it held the larger of both. */
export async function holdExactly(
  trx: Tx,
  cvm_id: number,
  { vcpu, memory_mb, disk_gb }: { vcpu: number; memory_mb: number; disk_gb: number },
) {
  await trx
    .updateTable('reservations')
    .set({ vcpu, memory_mb, disk_gb })
    .where('cvm_id', '=', cvm_id)
    .execute();
}

/** After a move, successful or not: the CVM holds its requirements on its host and nothing on the other. */
export async function settleMove(trx: Tx, cvm_id: number): Promise<void> {
  await sql`delete from reservations r using cvms c
    where r.cvm_id = ${cvm_id} and c.id = r.cvm_id and r.teepod_id <> c.teepod_id`.execute(trx);
  await trx.updateTable('reservations').set({ moving: false }).where('cvm_id', '=', cvm_id).execute();
}
