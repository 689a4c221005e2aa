import { sql, type RawBuilder } from 'kysely';
import type { Size } from '../../../domain/hosts/scheduler';
import type { Db } from '../../core/client';
import type { GpuStock } from '../../../domain/hosts/gpuFit';
import { freeGpus, openTo, ownFreeGpus, UNHELD, WORKS } from '../gpus';
import { isOpenOffer } from './openOffers';

/*
 * Room that members on the waitlist were offered. It is held on the host until it expires, by the database's clock, or
 * their team deploys what it waited for. Until then it is taken for other teams. While a deployment isn't committed, its
 * reservation takes the place of the offer, which is open again if the deployment is abandoned.
 */

/** Whose held capacity counts as taken: other teams', also the team's own (which can't be offered twice), or nobody's. */
export type HeldBy = 'others' | 'everyone' | 'nobody';

const BY = (team_id: number): Record<HeldBy, RawBuilder<boolean>> => ({
  others: sql`team_id <> ${team_id}`,
  everyone: sql`true`,
  nobody: sql`false`,
});

/** Rows of offers that are open now. */
const OPEN = (team_id: number, by: HeldBy) => sql`${isOpenOffer()} and ${BY(team_id)[by]}`;

const SUMS = (team_id: number) => sql`
  count(*)::int as slots, sum(held_vcpu)::int as vcpu, sum(held_memory_mb)::int as memory_mb,
  sum(held_disk_gb)::int as disk_gb,
  sum(case when team_id = ${team_id} then held_gpus else held_open_gpus end)::int as gpus`;

/** Held room per host. */
const HELD = (team_id: number, by: HeldBy) => sql`
  select teepod_id, ${SUMS(team_id)} from gpu_waits where ${OPEN(team_id, by)} group by teepod_id`;

/** Joins what is held on teepod `t` as `o`, for queries of one host or of all. */
export const joinHeld = (team_id: number, by: HeldBy): RawBuilder<unknown> =>
  sql`left join (${HELD(team_id, by)}) o on o.teepod_id = t.id`;

/** The same for queries that stop at a limit: one search of an index per host they read. */
export const joinHeldOnEach = (team_id: number, by: HeldBy): RawBuilder<unknown> => sql`
  cross join lateral (
    select ${SUMS(team_id)} from gpu_waits where teepod_id = t.id and ${OPEN(team_id, by)}) o`;

/** GPUs of teepod `t` that a CVM of this team could have, less those held in `o`. Its own reserved ones are never held for others. */
export const freeGpusBeside = (team_id: number, by: HeldBy): RawBuilder<number> => {
  const least = by === 'others' ? ownFreeGpus(team_id) : sql`0`;
  return sql<number>`case when coalesce(o.gpus, 0) = 0 then ${freeGpus(team_id)}
    else greatest(${least}, ${freeGpus(team_id)} - o.gpus) end`;
};

interface GpuCounts {
  all: number;
  /** Those a deployment of this team could have. */
  free: number;
  /** Those of them that aren't reserved for the team. */
  free_open: number;
}

/** Counts a host's GPUs for this team. */
export async function countGpus(db: Db, teepod_id: number, team_id: number): Promise<GpuCounts> {
  const free = freeGpusBeside(team_id, 'others');
  const { rows } = await sql<GpuCounts>`
    select (select count(*)::int from gpus where teepod_id = t.id) as all, ${free} as free,
      ${free} - ${ownFreeGpus(team_id)} as free_open
    from teepods t ${joinHeld(team_id, 'others')} where t.id = ${teepod_id}`.execute(db);
  return rows[0] ?? { all: 0, free: 0, free_open: 0 };
}

/**
 * Counts these hosts' GPUs per product, and why a team can't have some of them now. Held are any of a host, so no product
 * has more free than the host has.
 */
export async function gpuStock(db: Db, teepod_ids: readonly number[], team_id: number): Promise<GpuStock[]> {
  const { rows } = await sql<GpuStock>`
    select teepod_id, name, product_id, "all", broken, used, least(open, host_free) as free,
      kept + open - least(open, host_free) as kept
    from (
      select t.id as teepod_id, t.name, g.product_id, count(*)::int as "all",
        count(*) filter (where ${WORKS} and ${UNHELD} and ${openTo(team_id)})::int as open,
        count(*) filter (where not (${WORKS}))::int as broken,
        count(*) filter (where ${WORKS} and not ${UNHELD})::int as used,
        count(*) filter (where ${WORKS} and ${UNHELD} and not ${openTo(team_id)})::int as kept,
        ${freeGpusBeside(team_id, 'others')} as host_free
      from gpus g join teepods t on t.id = g.teepod_id ${joinHeld(team_id, 'others')}
      where t.id = any(${[...teepod_ids]}::bigint[]) group by t.id, o.gpus, g.product_id
    ) stock order by teepod_id`.execute(db);
  return rows;
}

/**
 * Whether teepod `t` has this much besides what is held for others than this team. One list for the whole query: a
 * comparison per host would keep the planner from reading hosts in their order.
 */
export const fitsBeside = (size: Size, team_id: number, by: HeldBy): RawBuilder<boolean> => sql<boolean>`
  t.id <> all(array(
    select b.teepod_id from (${HELD(team_id, by)}) b
    cross join lateral (select * from teepod_loads where teepod_id = b.teepod_id limit 1) k
    where k.free_memory_mb - b.memory_mb < ${size.memory_mb} or k.free_vcpu - b.vcpu < ${size.vcpu}
      or k.free_disk_gb - b.disk_gb < ${size.disk_gb} or k.free_slots <= b.slots))`;

export interface HeldRoom extends Size {
  slots: number;
  gpus: number;
  /** When the last of these offers ends. */
  until: Date;
}

/** Returns what is held on a host for other teams than this one; undefined if nothing is. */
export async function heldForOthers(
  db: Db,
  { teepod_id, team_id }: { teepod_id: number; team_id: number },
): Promise<HeldRoom | undefined> {
  const { rows } = await sql<HeldRoom>`
    select o.*, (select max(held_until) from gpu_waits where teepod_id = o.teepod_id
      and ${OPEN(team_id, 'others')}) as until
    from (${HELD(team_id, 'others')}) o where o.teepod_id = ${teepod_id}`.execute(db);
  return rows[0];
}

/** Returns what is held for a team on all hosts, each for one CVM. */
export async function heldForTeam(db: Db, team_id: number): Promise<(Size & { gpus: number })[]> {
  const { rows } = await sql<Size & { gpus: number }>`
    select held_gpus as gpus, held_vcpu as vcpu, held_memory_mb as memory_mb, held_disk_gb as disk_gb
    from gpu_waits where team_id = ${team_id} and ${isOpenOffer()}`.execute(db);
  return rows;
}

/** The open offer that a deployment of this team uses: one for no more than it takes, on its host if possible. */
export const offerUsedBy = ({
  teepod_id,
  team_id,
  size,
  gpus,
}: {
  teepod_id: number;
  team_id: number;
  size: Size;
  gpus: number;
}): RawBuilder<number> => sql<number>`(
  select id from gpu_waits
  where team_id = ${team_id} and ${isOpenOffer()} and gpus <= ${gpus} and vcpu <= ${size.vcpu}
    and memory_mb <= ${size.memory_mb} and disk_gb <= ${size.disk_gb}
  order by (teepod_id = ${teepod_id}) desc, notified_at, id limit 1)`;
