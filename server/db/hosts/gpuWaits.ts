import { sql, type Generated, type GeneratedAlways } from 'kysely';
import type { Db, Tx } from '../core/client';

/** One row per member and team in line for free GPUs (migrations 0216_gpu_waits, 0236_gpu_wait_names). */
export interface GpuWaitsTable {
  id: GeneratedAlways<number>;
  team_id: number;
  user_id: number;
  gpus: number;
  created_at: Generated<Date>;
  notified_at: Date | null;
  teepod_id: number | null;
}

export interface GpuWaitRow {
  gpus: number;
  created_at: Date;
  notified_at: Date | null;
}

interface Who {
  team_id: number;
  user_id: number;
}

export async function findGpuWait(db: Db | Tx, { team_id, user_id }: Who): Promise<GpuWaitRow | undefined> {
  return db
    .selectFrom('gpu_waits')
    .select(['gpus', 'created_at', 'notified_at'])
    .where('team_id', '=', team_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
}

/** Joins the line; at its end if the member is new, was already mailed, or now wants more. */
export async function waitForGpus(
  trx: Tx,
  { team_id, user_id, gpus }: Who & { gpus: number },
): Promise<GpuWaitRow> {
  const { rows } = await sql<GpuWaitRow>`
    insert into gpu_waits as w (team_id, user_id, gpus) values (${team_id}, ${user_id}, ${gpus})
    on conflict (team_id, user_id) do update set gpus = excluded.gpus, notified_at = null, teepod_id = null,
      created_at = case when w.notified_at is null and excluded.gpus <= w.gpus then w.created_at else now() end
    returning gpus, created_at, notified_at`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error('no row was returned');
  return row;
}

/** @returns whether the member was in the line */
export async function leaveGpuLine(trx: Tx, { team_id, user_id }: Who): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('gpu_waits')
    .where('team_id', '=', team_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export interface WaitingMember {
  id: number;
  team_id: number;
  user_id: number;
  gpus: number;
  /** `created_at` with its microseconds. */
  since: string;
  email: string;
  team_name: string;
  team_slug: string;
}

/**
 * Returns the next rows in the line after a row, for members who may deploy now; locked until the transaction
 * ends.
 */
export async function lockGpuLine(
  trx: Tx,
  { after, limit }: { after: Pick<WaitingMember, 'since' | 'id'> | null; limit: number },
): Promise<WaitingMember[]> {
  const { rows } = await sql<WaitingMember>`
    select w.id, w.team_id, w.user_id, w.gpus, w.created_at::text as since, u.email, t.name as team_name, t.slug as team_slug
    from gpu_waits w
    join teams t on t.id = w.team_id and t.deleted_at is null
    join users u on u.id = w.user_id and u.state = 'active' and u.email_verified_at is not null
    join memberships m on m.team_id = w.team_id and m.user_id = w.user_id and m.role in ('member', 'admin', 'owner')
    where w.notified_at is null and (${after === null} or (w.created_at, w.id) > (${after?.since ?? null}::timestamptz, ${after?.id ?? null}::bigint))
    order by w.created_at, w.id limit ${limit} for update of w skip locked`.execute(trx);
  return rows;
}

/** GPUs per host offered to members by email within these minutes, less those their team has taken since. */
export async function promisedGpus(trx: Tx, minutes: number): Promise<Map<number, number>> {
  const { rows } = await sql<{ teepod_id: number; gpus: number }>`
    select w.teepod_id, sum(greatest(0, w.gpus - (
      select count(*) from gpus g join reservations r on r.id = g.reservation_id join cvms c on c.id = r.cvm_id
      where g.teepod_id = w.teepod_id and c.team_id = w.team_id and c.created_at > w.notified_at)))::int as gpus
    from gpu_waits w
    where w.teepod_id is not null and w.notified_at > now() - make_interval(mins => ${minutes})
    group by 1`.execute(trx);
  return new Map(rows.map(({ teepod_id, gpus }) => [teepod_id, gpus]));
}

export const noteGpusNotified = (trx: Tx, id: number, teepod_id: number) =>
  trx.updateTable('gpu_waits').set({ notified_at: new Date(), teepod_id }).where('id', '=', id).execute();
