import { sql } from 'kysely';
import type { AdminBulkJob, AdminBulkJobRow } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import type { Db, Tx } from '../core/client';
import type { Caller } from '../../domain/core/caller';
import type { BulkJobRow } from './adminBulkJobsTable';
import { inStates, leasesOf, NO_LEASE } from '../core/leases';
import { userOf, type IdentityRow } from '../accounts/sessions';
import { toJson } from '../core/json';

type Times = 'created_at' | 'updated_at' | 'started_at' | 'finished_at' | 'cancel_requested_at';
export interface AdminBulkJobListRow extends Omit<AdminBulkJob, Times | 'done'> {
  created_at: Date;
  updated_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  cancel_requested_at: Date | null;
}

const fields = {
  id: 'integer',
  resource: 'text',
  action: 'text',
  state: 'text',
  total: 'integer',
  done: 'integer',
  succeeded: 'integer',
  failed: 'integer',
  skipped: 'integer',
  body: 'none',
  filter: 'none',
  user_id: 'integer',
  username: 'text',
  created_at: 'time',
  updated_at: 'time',
  started_at: 'time',
  finished_at: 'time',
  cancel_requested_at: 'time',
} satisfies Record<keyof AdminBulkJob, AdminFieldKind>;

export const adminBulkJobsOf = (resources: readonly string[]): AdminListSource<AdminBulkJobListRow> => ({
  fields,
  searched: ['resource', 'action', 'username'],
  select: sql<AdminBulkJobListRow>`select j.id, j.resource, j.action, j.state, j.total,
    j.succeeded + j.failed + j.skipped as done, j.succeeded, j.failed, j.skipped, j.body, j.filter, j.user_id,
    u.username, j.created_at, j.updated_at, j.started_at, j.finished_at, j.cancel_requested_at
    from admin_bulk_jobs j join users u on u.id = j.user_id where j.resource = any(${[...resources]}::text[])`,
});

export interface AdminBulkJobRowListRow extends Omit<AdminBulkJobRow, 'finished_at'> {
  finished_at: Date | null;
}

const rowFields = {
  id: 'integer',
  row_id: 'text',
  name: 'none',
  state: 'text',
  code: 'text',
  message: 'text',
  finished_at: 'time',
} satisfies Record<keyof AdminBulkJobRow, AdminFieldKind>;

export const adminBulkJobRowsOf = (job_id: number): AdminListSource<AdminBulkJobRowListRow> => ({
  fields: rowFields,
  searched: ['row_id', 'message'],
  select: sql<AdminBulkJobRowListRow>`select n as id, row_id, null::text as name, state, code, message, finished_at
    from admin_bulk_job_rows where job_id = ${job_id}`,
});

/** Counts a user's live jobs with their row locked, so that concurrent requests count each other. */
export async function countLiveJobs(trx: Tx, user_id: number): Promise<number> {
  await trx.selectFrom('users').select('id').where('id', '=', user_id).forUpdate().execute();
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from admin_bulk_jobs
    where user_id = ${user_id} and state in ('queued', 'running')`.execute(trx);
  return rows[0]?.count ?? 0;
}

export type NewBulkJob = Pick<
  BulkJobRow,
  'resource' | 'action' | 'operation' | 'user_id' | 'token_id' | 'ip' | 'user_agent' | 'request_id'
> & {
  body: Record<string, unknown> | null;
  filter: Record<string, unknown> | null;
  /** Record IDs without duplicates, in processing order. */
  ids: readonly string[];
};

/** Inserts a job with its rows, fixed from now on. @returns its number */
export async function insertBulkJob(trx: Tx, { ids, body, filter, ...job }: NewBulkJob): Promise<number> {
  const { id } = await trx
    .insertInto('admin_bulk_jobs')
    .values({
      ...job,
      body: body === null ? null : toJson(body),
      filter: filter === null ? null : toJson(filter),
      total: ids.length,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`insert into admin_bulk_job_rows (job_id, n, row_id)
    select ${id}, n, row_id from unnest(${[...ids]}::text[]) with ordinality rows(row_id, n)`.execute(trx);
  return id;
}

/** Requests cancellation of a live job. @returns false when it has already ended */
export async function requestCancel(trx: Tx, id: number): Promise<boolean> {
  const row = await trx
    .updateTable('admin_bulk_jobs')
    .set({ cancel_requested_at: sql`coalesce(cancel_requested_at, now())`, updated_at: new Date() })
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .returning('id')
    .executeTakeFirst();
  if (!row) return false;
  // A job no worker has claimed ends immediately.
  await endCancelled(trx, id);
  return true;
}

export const bulkLeases = leasesOf({
  table: 'admin_bulk_jobs',
  open: inStates('queued', 'running'),
  held: inStates('running'),
  seconds: 15,
  onTake: sql`state = 'running', started_at = coalesce(started_at, now())`,
});

/** Returns the next unprocessed rows. */
export async function queuedRows(
  db: Db,
  job_id: number,
  limit: number,
): Promise<{ n: number; row_id: string }[]> {
  return db
    .selectFrom('admin_bulk_job_rows')
    .select(['n', 'row_id'])
    .where('job_id', '=', job_id)
    .where('state', '=', 'queued')
    .orderBy('n')
    .limit(limit)
    .execute();
}

export type BulkRowResult = { state: 'succeeded' } | { state: 'failed'; code: string; message: string };

export interface BulkPlace {
  job_id: number;
  n: number;
  /** The worker that has the job. */
  owner: string;
}

/**
 * Returns the requester's current state; null when they are suspended or deleted, or the token they used is
 * no longer valid.
 */
export async function findBulkPerson(
  db: Db,
  { user_id, token_id }: Pick<BulkJobRow, 'user_id' | 'token_id'>,
): Promise<Caller | null> {
  const { rows } = await sql<IdentityRow & { token_id: number | null; scopes: string[] | null }>`
    select u.id as user_id, u.public_id as user_public_id, u.email, u.username, u.avatar, u.platform_role,
      u.email_verified_at, u.second_factor_at, coalesce(k.via_sso, false) as via_sso, k.id as token_id, k.scopes
    from users u
    left join api_tokens k on k.id = ${token_id} and k.user_id = u.id and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > now())
    where u.id = ${user_id} and u.state = 'active'`.execute(db);
  const [row] = rows;
  if (!row || (token_id !== null && row.token_id === null)) return null;
  return {
    kind: token_id === null ? 'session' : 'token',
    user: userOf(row),
    team: null,
    scopes: row.scopes ?? ['*', 'admin:*'],
    session: null,
    token_id,
    as_staff: false,
    view_as: null,
    via_sso: row.via_sso,
  };
}

/** Another worker has the job, or it was canceled, or the row is done: this worker must stop. */
export class BulkRowLost extends Error {}

/**
 * Records a row's result in the transaction that processed it, so both happen exactly once or not at all.
 * Renews the lease. @throws BulkRowLost, which rolls the transaction back
 */
export async function markBulkRow(
  trx: Tx,
  { job_id, n, owner }: BulkPlace,
  result: BulkRowResult,
): Promise<void> {
  const failed = result.state === 'failed';
  const job = await sql`update admin_bulk_jobs set
      succeeded = succeeded + ${failed ? 0 : 1}, failed = failed + ${failed ? 1 : 0}, updated_at = now(),
      lease_until = ${bulkLeases.until}
    where ${bulkLeases.isOwn(job_id, owner)} and cancel_requested_at is null
    returning id`.execute(trx);
  if (job.rows.length === 0) throw new BulkRowLost();
  const row = await sql`update admin_bulk_job_rows set state = ${result.state}, finished_at = now(),
      code = ${failed ? result.code : null}, message = ${failed ? result.message : null}
    where job_id = ${job_id} and n = ${n} and state = 'queued' returning n`.execute(trx);
  if (row.rows.length === 0) throw new BulkRowLost();
}

/** Keeps a job's lease while one of its rows takes long. @returns whether to continue */
export const renewBulkJob = async (db: Db, id: number, owner: string): Promise<boolean> =>
  (await bulkLeases.renew(db, id, owner, ['id'], {
    still: sql`cancel_requested_at is null`,
  })) !== undefined;

/** Finishes a job with no rows left. */
export async function finishBulkJob(db: Db, id: number, owner: string): Promise<void> {
  await db
    .updateTable('admin_bulk_jobs')
    .set({ state: 'finished', finished_at: sql`now()`, updated_at: sql`now()`, ...NO_LEASE })
    .where(bulkLeases.isOwn(id, owner))
    .where(
      sql<boolean>`not exists (select from admin_bulk_job_rows where job_id = ${id} and state = 'queued')`,
    )
    .execute();
}

/** Skips a canceled job's remaining rows. A worker processing one right now does this itself. */
export async function endCancelled(db: Db, id: number, owner: string | null = null): Promise<void> {
  await sql`with ended as (
      update admin_bulk_jobs set state = 'cancelled', finished_at = now(), updated_at = now(),
        lease_owner = null, lease_until = null, skipped = total - succeeded - failed
      where id = ${id} and state in ('queued', 'running') and cancel_requested_at is not null
        and (lease_owner is null or lease_owner = ${owner} or lease_until < now())
      returning id
    )
    update admin_bulk_job_rows set state = 'skipped', finished_at = now()
    where job_id in (select id from ended) and state = 'queued'`.execute(db);
}
