import { sql, type Kysely, type RawBuilder } from 'kysely';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { pickGpus, type GpuModel } from '../../domain/hosts/gpuFit';
import { prepared, type Tx } from '../core/client';
import type { Database } from '../core/schema';
import type { GpuRow } from './gpusTable';
import { TAKES_CVMS } from './takesCvms';
import { isOpenOffer } from './waits/openOffers';

/** Limit per host; reports of more are rejected. */
const MAX_GPUS = 64;

/** Holds for a free GPU `g`. An expired provision no longer holds any. */
export const UNHELD = sql`not exists (
  select 1 from reservations h where h.id = g.reservation_id and (h.expires_at is null or h.expires_at > now()))`;

export const WORKS = sql`g.fault is null and g.reported and not g.used_elsewhere`;

/** Holds when `g` is reserved for no team, or for this one. A deleted team's reservation does not count. */
export const openTo = (
  team_id: number | null,
) => sql`(g.reserved_team_id is null or g.reserved_team_id = ${team_id}
  or exists (select 1 from teams x where x.id = g.reserved_team_id and x.deleted_at is not null))`;

/** GPUs of teepod `t` a CVM of this team could have now; for a select over `t`. */
export const freeGpus = (team_id: number): RawBuilder<number> => sql<number>`(
  select count(*)::int from gpus g where g.teepod_id = t.id and ${WORKS} and ${UNHELD} and ${openTo(team_id)})`;

/** Those of them reserved for this team; for a select over `t`. */
export const ownFreeGpus = (team_id: number): RawBuilder<number> => sql<number>`(
  select count(*)::int from gpus g
  where g.teepod_id = t.id and ${WORKS} and ${UNHELD} and g.reserved_team_id = ${team_id})`;

export interface FreeGpuCount {
  product_id: string | null;
  description: string;
  /** Reserved for this team. */
  reserved: boolean;
  count: number;
}

/**
 * Selects the GPUs that CVMs of this team could have now. Of those open to every team, the last of a host are held for
 * members of other teams on the waitlist.
 * @param team_id null for a team that nothing is reserved or held for
 * @param which a condition on the GPU `g`
 */
const freeFor = (team_id: number | null, which: RawBuilder<unknown>) => sql`
  select id, product_id, description, is_own
  from (
    select g.id, g.product_id, g.description, own.is_own, row_number() over (partition by g.teepod_id, own.is_own
        order by g.slot desc) as nth, (
      select coalesce(sum(w.held_open_gpus), 0) from gpu_waits w
      where w.teepod_id = g.teepod_id and ${isOpenOffer('w')} and w.team_id is distinct from ${team_id}) as held
    from gpus g cross join lateral (select coalesce(g.reserved_team_id = ${team_id}, false) as is_own) own
    where ${which} and ${WORKS} and ${UNHELD} and ${openTo(team_id)}
  ) unheld
  where is_own or nth > held`;

/** Counts the GPUs of these teepods that CVMs of this team could have now. */
export async function countFreeGpus(
  db: Kysely<Database>,
  team_id: number,
  teepod_ids: readonly number[],
): Promise<FreeGpuCount[]> {
  const { rows } = await sql<FreeGpuCount>`
    select product_id, min(description) as description, is_own as reserved, count(*)::int as count
    from (${freeFor(team_id, sql`g.teepod_id = any(${[...teepod_ids]}::bigint[])`)}) free
    group by 1, 3 order by 1, 3 limit 1000`.execute(db);
  return rows;
}

/**
 * Assigns `count` of a teepod's GPUs to a reservation, the team's reserved ones first. Returns false, taking
 * nothing, when there are fewer. Call with the teepod's row locked: every assignment of GPUs holds that lock.
 */
export async function takeGpus(
  trx: Tx,
  take: {
    teepod_id: number;
    team_id: number;
    reservation_id: number;
    count: number;
    /** Exactly this one. */
    gpu_id?: number;
    /** One GPU of each of these products, null for any; `count` entries. */
    products?: readonly (string | null)[];
  },
): Promise<boolean> {
  if (take.count === 0) return true;
  const { rows } = await sql<{ id: number; product_id: string | null }>`
    select g.id, g.product_id from gpus g
    where g.teepod_id = ${take.teepod_id} and ${WORKS} and ${UNHELD} and ${openTo(take.team_id)}
      and (${take.gpu_id ?? null}::bigint is null or g.id = ${take.gpu_id ?? null})
    order by (g.reserved_team_id is not distinct from ${take.team_id}) desc, g.slot
    limit ${MAX_GPUS} for update`.execute(trx);
  const taken = pickGpus(rows, take.products ?? Array<null>(take.count).fill(null));
  if (!taken) return false;
  await trx
    .updateTable('gpus')
    .set({ reservation_id: take.reservation_id })
    .where(
      'id',
      'in',
      taken.map(({ id }) => id),
    )
    .execute();
  return true;
}

/** Returns the models of a CVM's GPUs on its host, one entry each. */
export async function gpuModelsOf(
  trx: Tx,
  { id, teepod_id }: { id: number; teepod_id: number },
): Promise<GpuModel[]> {
  const { rows } = await sql<GpuModel>`
    select g.product_id, coalesce(nullif(g.description, ''), g.product_id, 'GPU') as name
    from gpus g join reservations r on r.id = g.reservation_id
    where r.cvm_id = ${id} and g.teepod_id = ${teepod_id} order by g.slot limit ${MAX_GPUS}`.execute(trx);
  return rows;
}

/** Frees all the CVM's GPUs; its reservation stays. */
export async function freeGpusOf(trx: Tx, cvm_id: number): Promise<void> {
  await trx
    .updateTable('gpus')
    .set({ reservation_id: null })
    .where('reservation_id', 'in', trx.selectFrom('reservations').select('id').where('cvm_id', '=', cvm_id))
    .execute();
}

/** Returns the PCI addresses of a CVM's GPUs on this host, in order; during a move it has some on two hosts. */
export async function gpuSlotsOf(
  db: Kysely<Database>,
  { id, teepod_id }: { id: number; teepod_id: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('gpus')
    .innerJoin('reservations', 'reservations.id', 'gpus.reservation_id')
    .select('gpus.slot')
    .where('reservations.cvm_id', '=', id)
    .where('gpus.teepod_id', '=', teepod_id)
    .orderBy('gpus.slot')
    .limit(64)
    .execute();
  return rows.map(({ slot }) => slot);
}

/** Whether the CVM has GPUs, and its host reports none that it doesn't have. */
export async function hasEveryGpu(
  db: Kysely<Database>,
  { id, teepod_id }: { id: number; teepod_id: number },
): Promise<boolean> {
  const own = sql`r.cvm_id is not distinct from ${id}`;
  const { rows } = await sql<{ has_every: boolean }>`
    select coalesce(bool_or(${own}) and bool_and(${own} or not g.reported), false) as has_every
    from gpus g left join reservations r on r.id = g.reservation_id where g.teepod_id = ${teepod_id}`.execute(
    db,
  );
  return rows[0]?.has_every === true;
}

export interface SeenGpu {
  slot: string;
  product_id: string;
  description: string;
  /** Whether the host reports it as unused by any VM. */
  is_free: boolean;
}

/**
 * Applies a host's GPU report: inserts new GPUs, updates known ones, and stops offering those no longer
 * reported. A GPU reported as taken that none of our CVMs has belongs to a VM outside Teehouse.
 */
export async function syncGpus(
  db: Kysely<Database>,
  teepod_id: number,
  seen: readonly SeenGpu[],
): Promise<void> {
  // Most hosts have none. Locking each of them every time would make deployments wait.
  if (seen.length === 0 && !(await hasReported(db, teepod_id))) return;
  const now = new Date();
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('teepods').select('id').where('id', '=', teepod_id).forNoKeyUpdate().execute();
    const slots = seen.slice(0, MAX_GPUS).map(({ slot }) => slot.toLowerCase().slice(0, 64));
    for (const [index, gpu] of seen.slice(0, MAX_GPUS).entries()) {
      const said = {
        ...(gpu.product_id === '' ? {} : { product_id: gpu.product_id.toLowerCase().slice(0, 9) }),
        ...(gpu.description === '' ? {} : { description: cutWhole(gpu.description, 500) }),
        reported: true,
        last_seen_at: now,
      };
      await trx
        .insertInto('gpus')
        .values({ teepod_id, slot: slots[index] ?? '', used_elsewhere: !gpu.is_free, ...said })
        .onConflict((conflict) =>
          conflict.columns(['teepod_id', 'slot']).doUpdateSet({
            ...said,
            used_elsewhere: gpu.is_free
              ? false
              : sql<boolean>`not exists (select 1 from reservations r where r.id = gpus.reservation_id and r.cvm_id is not null)`,
          }),
        )
        .execute();
    }
    await trx
      .updateTable('gpus')
      .set({ reported: false, used_elsewhere: false })
      .where('teepod_id', '=', teepod_id)
      .where('reported', '=', true)
      .$if(slots.length > 0, (query) => query.where('slot', 'not in', slots))
      .execute();
  });
}

/** Whether any of a host's GPUs is stored as reported. */
async function hasReported(db: Kysely<Database>, teepod_id: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`${prepared}
    select exists (select from gpus where teepod_id = ${teepod_id} and reported) as found`.execute(db);
  return rows[0]?.found === true;
}

/** Locks the GPU and its host's row, in the order all callers use. */
export async function lockGpu(trx: Tx, id: number): Promise<GpuRow | undefined> {
  const found = await trx.selectFrom('gpus').select('teepod_id').where('id', '=', id).executeTakeFirst();
  if (!found) return undefined;
  await trx.selectFrom('teepods').select('id').where('id', '=', found.teepod_id).forNoKeyUpdate().execute();
  return trx.selectFrom('gpus').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export interface GpuHolder {
  team_id: number;
  team_name: string;
  cvm_id: number | null;
  cvm_name: string | null;
}

/** Returns the current holder: a CVM, or a deployment that isn't committed yet. */
export async function gpuHolder(trx: Tx, reservation_id: number | null): Promise<GpuHolder | undefined> {
  if (reservation_id === null) return undefined;
  const { rows } = await sql<GpuHolder>`
    select r.team_id, t.name as team_name, r.cvm_id, c.name as cvm_name
    from reservations r join teams t on t.id = r.team_id left join cvms c on c.id = r.cvm_id
    where r.id = ${reservation_id} and (r.expires_at is null or r.expires_at > now())`.execute(trx);
  return rows[0];
}

/** GPU models shown to visitors. */
const MAX_MODELS = 50;

/** Counts the GPUs by model on hosts open to every team, and how many of them any new team could have now. */
export async function publicGpuStock(
  db: Kysely<Database>,
): Promise<{ model: string; all: number; free: number }[]> {
  const { rows } = await sql<{ model: string; all: number; free: number }>`
    select coalesce(nullif(g.description, ''), g.product_id, 'GPU') as model, count(*)::int as all,
      count(f.id) filter (where ${TAKES_CVMS})::int as free
    from gpus g join teepods t on t.id = g.teepod_id join nodes n on n.id = t.node_id
    left join (${freeFor(null, sql`true`)}) f on f.id = g.id
    where t.all_teams and t.listed group by 1 order by 1 limit ${MAX_MODELS}`.execute(db);
  return rows;
}

/** GPUs reserved for a team, by their current state for it. */
export interface ReservedGpus {
  reserved: number;
  /** In use by its own CVMs or deployments. */
  in_use: number;
  /** The team can't use its own: faulty, not reported, or held by others. */
  misconfigured: number;
}

export async function reservedGpus(db: Kysely<Database>, team_id: number): Promise<ReservedGpus> {
  const { rows } = await sql<ReservedGpus>`
    select count(*)::int as reserved, count(*) filter (where h.team_id = ${team_id})::int as in_use,
      count(*) filter (where h.team_id is distinct from ${team_id} and (h.id is not null or not (${WORKS})))::int as misconfigured
    from gpus g left join reservations h on h.id = g.reservation_id and (h.expires_at is null or h.expires_at > now())
    where g.reserved_team_id = ${team_id}`.execute(db);
  return rows[0] ?? { reserved: 0, in_use: 0, misconfigured: 0 };
}

/**
 * Assigns the CVM's GPU count on its host to its reservation, including those it still has. @param free how many its
 * team can have there
 */
export async function takeGpusAgain(
  trx: Tx,
  cvm: { id: number; teepod_id: number; team_id: number; gpus: number },
  free: number,
): Promise<boolean> {
  const missing = cvm.gpus - (await gpuSlotsOf(trx, cvm)).length;
  if (missing <= 0) return true;
  if (missing > free) return false;
  const held = await trx
    .selectFrom('reservations')
    .select('id')
    .where('cvm_id', '=', cvm.id)
    .where('teepod_id', '=', cvm.teepod_id)
    .executeTakeFirst();
  if (!held) return false;
  const { teepod_id, team_id } = cvm;
  return takeGpus(trx, { teepod_id, team_id, reservation_id: held.id, count: missing });
}
