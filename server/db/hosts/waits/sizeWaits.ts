import { sql, type Generated, type GeneratedAlways, type RawBuilder } from 'kysely';
import type { Size } from '../../../domain/hosts/scheduler';
import type { Db, Tx } from '../../core/client';
import { ownFreeGpus } from '../gpus';
import { isOpenOffer } from './openOffers';

/**
 * One row per member and team in line for free GPUs or for room for a size (migrations 0216_gpu_waits,
 * 0236_gpu_wait_names, 0319_size_waits, 0324_offers_and_next_keys, 0331_used_offers).
 */
export interface SizeWaitsTable {
  id: GeneratedAlways<number>;
  team_id: number;
  user_id: number;
  gpus: number;
  vcpu: Generated<number>;
  memory_mb: Generated<number>;
  disk_gb: Generated<number>;
  created_at: Generated<Date>;
  notified_at: Date | null;
  /** The host whose room was offered. */
  teepod_id: number | null;
  /** Until when that room is held for the team; null if it isn't, or has been used. */
  held_until: Date | null;
  /** The reservation of an uncommitted deployment that uses the offer. */
  reservation_id: number | null;
  held_gpus: Generated<number>;
  /** Those of them that aren't reserved for the team. */
  held_open_gpus: Generated<number>;
  held_vcpu: Generated<number>;
  held_memory_mb: Generated<number>;
  held_disk_gb: Generated<number>;
}

/** What one host must have free: GPUs, room for a size, or both. */
export interface WantedRoom extends Size {
  gpus: number;
}

export interface SizeWaitRow extends WantedRoom {
  created_at: Date;
  notified_at: Date | null;
  /** Until when the offered room is held; null if it is no longer. */
  held_until: Date | null;
}

interface Who {
  team_id: number;
  user_id: number;
}

export async function findSizeWait(db: Db | Tx, { team_id, user_id }: Who): Promise<SizeWaitRow | undefined> {
  return db
    .selectFrom('gpu_waits')
    .select(['gpus', 'vcpu', 'memory_mb', 'disk_gb', 'created_at', 'notified_at'])
    .select(sql<Date | null>`case when ${isOpenOffer()} then held_until end`.as('held_until'))
    .where('team_id', '=', team_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
}

/**
 * Joins the line; at its end if the member is new, was already mailed, or now wants more. Gives up an offer that was
 * open.
 */
export async function waitForSize(
  trx: Tx,
  { team_id, user_id, gpus, vcpu, memory_mb, disk_gb }: Who & WantedRoom,
): Promise<SizeWaitRow> {
  const { rows } = await sql<SizeWaitRow>`
    insert into gpu_waits as w (team_id, user_id, gpus, vcpu, memory_mb, disk_gb)
    values (${team_id}, ${user_id}, ${gpus}, ${vcpu}, ${memory_mb}, ${disk_gb})
    on conflict (team_id, user_id) do update set gpus = excluded.gpus, vcpu = excluded.vcpu,
      memory_mb = excluded.memory_mb, disk_gb = excluded.disk_gb, notified_at = null, teepod_id = null, held_until = null,
      reservation_id = null,
      created_at = case when w.notified_at is null and excluded.gpus <= w.gpus and excluded.vcpu <= w.vcpu
        and excluded.memory_mb <= w.memory_mb and excluded.disk_gb <= w.disk_gb then w.created_at else now() end
    returning gpus, vcpu, memory_mb, disk_gb, created_at, notified_at, held_until`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error('no row was returned');
  return row;
}

/** @returns whether the member was in the line */
export async function leaveSizeLine(trx: Tx, { team_id, user_id }: Who): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('gpu_waits')
    .where('team_id', '=', team_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export interface WaitingMember extends WantedRoom {
  id: number;
  team_id: number;
  user_id: number;
  email: string;
  team_name: string;
  team_slug: string;
  /** Whether the team has hosts or reserved GPUs that not every team can use. */
  has_own: boolean;
}

/** How long a team that was offered room comes after those that weren't. */
const TURN_DAYS = 7;

/** Holds for a row of members who may deploy. Each is a lookup by key, for one row. */
const MAY_DEPLOY = sql`
  exists (select from teams t join users u on u.id = w.user_id
    where t.id = w.team_id and t.deleted_at is null and u.state = 'active' and u.email_verified_at is not null
      and (not t.require_second_factor or u.second_factor_at is not null))
  and exists (select from memberships m where m.team_id = w.team_id and m.user_id = w.user_id
    and m.role in ('member', 'admin', 'owner'))`;

/** The member who waited longest among those of the next team and size. */
const nextInLine = (after: unknown) => sql`
  select w.id, w.team_id, w.user_id, w.gpus, w.vcpu, w.memory_mb, w.disk_gb, w.created_at from gpu_waits w
  where w.notified_at is null and ${after} and ${MAY_DEPLOY}
  order by w.team_id, w.gpus, w.vcpu, w.memory_mb, w.disk_gb, w.created_at, w.id limit 1`;

/**
 * Returns, for each waiting team and each size its members wait for, the member who waited longest, in the order of
 * offers: teams that were offered nothing for a week, by their longest wait, then the others, by their last offer; within
 * a team by waiting time. Reads one row per team and size along an index, however many members wait.
 */
export const firstInLine = async (db: Db): Promise<WaitingMember[]> => (await lineQuery().execute(db)).rows;

/** The statement of `firstInLine`, for tests of its cost. */
export const lineQuery = (): RawBuilder<WaitingMember> => sql<WaitingMember>`
    with recursive line as (
      (${nextInLine(sql`true`)})
      union all
      select n.* from line l cross join lateral (${nextInLine(sql`
        (w.team_id, w.gpus, w.vcpu, w.memory_mb, w.disk_gb) > (l.team_id, l.gpus, l.vcpu, l.memory_mb, l.disk_gb)`)}) n
    ), own as (
      select team_id from teepod_teams union select reserved_team_id from gpus where reserved_team_id is not null
    )
    select l.id, l.team_id, l.user_id, l.gpus, l.vcpu, l.memory_mb, l.disk_gb, u.email, t.name as team_name,
      t.slug as team_slug, l.team_id in (select team_id from own) as has_own
    from line l join teams t on t.id = l.team_id join users u on u.id = l.user_id
    order by case when t.room_offered_at > now() - make_interval(days => ${TURN_DAYS}) then t.room_offered_at end nulls first,
      min(l.created_at) over (partition by l.team_id), l.team_id, l.created_at, l.id`;

/** Locks a member's place in line. @returns false if the member left it, or is changing it now */
export async function lockWait(trx: Tx, wait: { id: number } & WantedRoom): Promise<boolean> {
  const { rows } = await sql`
    select w.id from gpu_waits w
    where w.id = ${wait.id} and w.notified_at is null and ${MAY_DEPLOY} and w.gpus = ${wait.gpus} and w.vcpu = ${wait.vcpu}
      and w.memory_mb = ${wait.memory_mb} and w.disk_gb = ${wait.disk_gb}
    for update of w skip locked`.execute(trx);
  return rows.length > 0;
}

interface Offer {
  id: number;
  team_id: number;
  teepod_id: number;
  /** What is held: the size that was waited for, or one with as many GPUs. */
  room: WantedRoom;
  minutes: number;
}

/**
 * Offers a member room on a host, which is held for the team; call with the member's place, the team and the host locked.
 * A deployment that used an earlier offer, which the member gave up meanwhile, doesn't use this one.
 * @returns until when it is held
 */
export async function noteOffer(trx: Tx, { id, team_id, teepod_id, room, minutes }: Offer): Promise<Date> {
  await trx
    .updateTable('teams')
    .set({ room_offered_at: sql`now()` })
    .where('id', '=', team_id)
    .execute();
  const { rows } = await sql<{ held_until: Date }>`
    update gpu_waits w set notified_at = now(), teepod_id = t.id, held_until = now() + make_interval(mins => ${minutes}),
      reservation_id = null,
      held_gpus = ${room.gpus}, held_vcpu = ${room.vcpu}, held_memory_mb = ${room.memory_mb}, held_disk_gb = ${room.disk_gb},
      held_open_gpus = greatest(0, ${room.gpus} - greatest(0, ${ownFreeGpus(team_id)} - (
        select coalesce(sum(b.held_gpus - b.held_open_gpus), 0) from gpu_waits b
        where b.team_id = ${team_id} and b.teepod_id = t.id and ${isOpenOffer('b')})))
    from teepods t where w.id = ${id} and t.id = ${teepod_id} returning w.held_until`.execute(trx);
  return rows[0]!.held_until;
}
