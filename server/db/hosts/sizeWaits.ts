import { sql, type Generated, type GeneratedAlways } from 'kysely';
import type { Size } from '../../domain/hosts/scheduler';
import type { Db, Tx } from '../core/client';

/**
 * One row per member and team in line for free GPUs or for room for a size (migrations 0216_gpu_waits,
 * 0236_gpu_wait_names, 0319_size_waits).
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
  teepod_id: number | null;
}

/** What one host must have free: GPUs, room for a size, or both. */
export interface WantedRoom extends Size {
  gpus: number;
}

export interface SizeWaitRow extends WantedRoom {
  created_at: Date;
  notified_at: Date | null;
}

interface Who {
  team_id: number;
  user_id: number;
}

export async function findSizeWait(db: Db | Tx, { team_id, user_id }: Who): Promise<SizeWaitRow | undefined> {
  return db
    .selectFrom('gpu_waits')
    .select(['gpus', 'vcpu', 'memory_mb', 'disk_gb', 'created_at', 'notified_at'])
    .where('team_id', '=', team_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
}

/** Joins the line; at its end if the member is new, was already mailed, or now wants more. */
export async function waitForSize(
  trx: Tx,
  { team_id, user_id, gpus, vcpu, memory_mb, disk_gb }: Who & WantedRoom,
): Promise<SizeWaitRow> {
  const { rows } = await sql<SizeWaitRow>`
    insert into gpu_waits as w (team_id, user_id, gpus, vcpu, memory_mb, disk_gb)
    values (${team_id}, ${user_id}, ${gpus}, ${vcpu}, ${memory_mb}, ${disk_gb})
    on conflict (team_id, user_id) do update set gpus = excluded.gpus, vcpu = excluded.vcpu,
      memory_mb = excluded.memory_mb, disk_gb = excluded.disk_gb, notified_at = null, teepod_id = null,
      created_at = case when w.notified_at is null and excluded.gpus <= w.gpus and excluded.vcpu <= w.vcpu
        and excluded.memory_mb <= w.memory_mb and excluded.disk_gb <= w.disk_gb then w.created_at else now() end
    returning gpus, vcpu, memory_mb, disk_gb, created_at, notified_at`.execute(trx);
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
  /** `created_at` with its microseconds. */
  since: string;
  email: string;
  team_name: string;
  team_slug: string;
}

type Place = Pick<WaitingMember, 'since' | 'id'>;

const LINE = sql`
  from gpu_waits w
  join teams t on t.id = w.team_id and t.deleted_at is null
  join users u on u.id = w.user_id and u.state = 'active' and u.email_verified_at is not null
  join memberships m on m.team_id = w.team_id and m.user_id = w.user_id and m.role in ('member', 'admin', 'owner')
  where w.notified_at is null`;

const behind = (after: Place | null) => sql<boolean>`
  (${after === null} or (w.created_at, w.id) > (${after?.since ?? null}::timestamptz, ${after?.id ?? null}::bigint))`;

/** Counts the rows that {@link lockSizeLine} would return after a row without its limit. */
export async function countSizeLine(trx: Tx, after: Place | null): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n ${LINE} and ${behind(after)}`.execute(trx);
  return rows[0]?.n ?? 0;
}

/**
 * Returns the next rows in the line after a row, for members who may deploy now; locked until the transaction
 * ends.
 */
export async function lockSizeLine(
  trx: Tx,
  { after, limit }: { after: Place | null; limit: number },
): Promise<WaitingMember[]> {
  const { rows } = await sql<WaitingMember>`
    select w.id, w.team_id, w.user_id, w.gpus, w.vcpu, w.memory_mb, w.disk_gb, w.created_at::text as since, u.email,
      t.name as team_name, t.slug as team_slug
    ${LINE} and ${behind(after)}
    order by w.created_at, w.id limit ${limit} for update of w skip locked`.execute(trx);
  return rows;
}

/** What was offered to members on one host. */
export interface PromisedRoom extends WantedRoom {
  slots: number;
}

/** Room per host offered to members by email within these minutes, less what their team has taken since. */
export async function promisedRoom(trx: Tx, minutes: number): Promise<Map<number, PromisedRoom>> {
  const { rows } = await sql<PromisedRoom & { teepod_id: number }>`
    select w.teepod_id, sum(greatest(0, 1 - taken.cvms))::int as slots,
      sum(greatest(0, w.gpus - taken.gpus))::int as gpus, sum(greatest(0, w.vcpu - taken.vcpu))::int as vcpu,
      sum(greatest(0, w.memory_mb - taken.memory_mb))::int as memory_mb,
      sum(greatest(0, w.disk_gb - taken.disk_gb))::int as disk_gb
    from gpu_waits w cross join lateral (
      select count(*) as cvms, coalesce(sum(r.vcpu), 0) as vcpu, coalesce(sum(r.memory_mb), 0) as memory_mb,
        coalesce(sum(r.disk_gb), 0) as disk_gb,
        coalesce(sum((select count(*) from gpus g where g.reservation_id = r.id)), 0) as gpus
      from reservations r join cvms c on c.id = r.cvm_id
      where r.teepod_id = w.teepod_id and c.team_id = w.team_id and c.created_at > w.notified_at) taken
    where w.teepod_id is not null and w.notified_at > now() - make_interval(mins => ${minutes})
    group by 1`.execute(trx);
  return new Map(rows.map(({ teepod_id, ...room }) => [teepod_id, room]));
}

export const noteWaiterNotified = (trx: Tx, id: number, teepod_id: number) =>
  trx.updateTable('gpu_waits').set({ notified_at: new Date(), teepod_id }).where('id', '=', id).execute();
