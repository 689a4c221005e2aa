import { sql, type Kysely } from 'kysely';
import { purgeTime } from '../../domain/cvms/recycleBin';
import type { RecycledFields } from '../../domain/cvms/recycledCvmResponse';
import type { Db, Tx } from '../core/client';
import { joinedCvm, selectCvms, type JoinedCvm } from './cvmRows';
import { parseCvmIdentifier } from '../../../console/lib/ids';
import { Problem } from '../../domain/core/problem';
import type { CvmRow } from './cvmsTable';
import type { Database } from '../core/schema';
import type { OperationRow } from '../activity/operationsTable';
import { statusReason } from './statusReason';

/**
 * Moves a CVM to the recycle bin: it counts as deleted and its name is free; its VM, disk and reservation
 * stay. The app goes with its last CVM. @returns when the bin period ends
 */
export async function moveToBin(trx: Tx, cvm: Pick<CvmRow, 'id' | 'app_id'>): Promise<Date> {
  const deleted_at = new Date();
  const purge_at = purgeTime(deleted_at);
  await trx
    .updateTable('cvms')
    .set({
      deleted_at,
      purge_at,
      scheduled_stop_at: null,
      scheduled_delete_at: null,
    })
    .where('id', '=', cvm.id)
    .execute();
  await archiveEmptyApp(trx, cvm.app_id);
  return purge_at;
}

export async function archiveEmptyApp(trx: Tx, app_id: number): Promise<void> {
  await trx
    .updateTable('apps')
    .set({ archived_at: new Date() })
    .where('id', '=', app_id)
    .where('archived_at', 'is', null)
    .where(sql<boolean>`not exists (select 1 from cvms c where c.app_id = apps.id and c.deleted_at is null)`)
    .execute();
}

/**
 * The reverse, under `name`; the caller has reserved capacity for it. Throws the unique violation of a taken
 * name.
 */
export async function takeFromBin(trx: Tx, cvm: Pick<CvmRow, 'id' | 'app_id'>, name: string): Promise<void> {
  await trx
    .updateTable('cvms')
    .set({
      deleted_at: null,
      purge_at: null,
      name,
      hostname: sql<string>`coalesce(hostname, name)`,
      status: 'stopped',
      ...statusReason(null),
      desired: 'stopped',
      updated_at: new Date(),
    })
    .where('id', '=', cvm.id)
    .execute();
  await trx.updateTable('apps').set({ archived_at: null }).where('id', '=', cvm.app_id).execute();
}

/**
 * Per team. Beyond this, disks only count as if kept forever: quotas are larger than what a page should wait
 * for.
 */
const MAX_KEPT = 10_000;

/**
 * Returns how long the disks of a team's CVMs in the recycle bin are kept, by CVM ID.
 *
 * @param most number of latest deletions to return
 */
export async function keptUntil(
  db: Db | Tx,
  team_id: number,
  most = MAX_KEPT,
): Promise<ReadonlyMap<number, Date>> {
  const rows = await db
    .selectFrom('cvms')
    .select(['id', 'purge_at'])
    .where('team_id', '=', team_id)
    .where('purge_at', 'is not', null)
    .where('status', '<>', 'deleted')
    // Matches the recycle bin's index.
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .$narrowType<{ purge_at: Date }>()
    .execute();
  return new Map(rows.map(({ id, purge_at }) => [id, purge_at]));
}

/**
 * Whether a CVM has anything to keep: its VM is on a host and its deployment finished. Without operation
 * history it counts as one that ran.
 */
export async function isWorthKeeping(trx: Tx, cvm: Pick<CvmRow, 'id' | 'host_vm_id'>): Promise<boolean> {
  if (cvm.host_vm_id === null) return false;
  const { rows } = await sql<{ never: boolean }>`
    select exists (select 1 from operations where cvm_id = ${cvm.id} and type = 'deploy')
      and not exists (
        select 1 from operations
        where cvm_id = ${cvm.id} and state = 'succeeded' and type in ('deploy', 'start', 'restart', 'update', 'resize')
      ) as never`.execute(trx);
  return rows[0]?.never === false;
}

/** Finds a CVM in the bin by any identifier and locks it. @throws CVM_NOT_FOUND, AMBIGUOUS_CVM */
export async function findRecycled(trx: Tx, team_id: number, identifier: string): Promise<JoinedCvm> {
  const parsed = parseCvmIdentifier(identifier);
  const column =
    parsed?.kind === 'uuid'
      ? sql`vm_uuid = ${parsed.vm_uuid}::uuid`
      : parsed?.kind === 'hashid'
        ? sql`public_id = ${parsed.hashid}`
        : parsed?.kind === 'numeric'
          ? sql`id = ${parsed.id}::bigint`
          : parsed?.kind === 'name'
            ? sql`name = ${parsed.name}`
            : sql`false`;
  const chosen = sql`select * from cvms where ${column} and team_id = ${team_id} and purge_at is not null`;
  await sql`${chosen} order by id for update`.execute(trx);
  const { rows } = await sql<Record<string, unknown>>`
    ${selectCvms('full', sql`${chosen} order by id limit 11`)} order by cvm.id`.execute(trx);
  const found = rows.map(joinedCvm);
  const [first] = found;
  if (!first)
    throw new Problem('CVM_NOT_FOUND', {
      message: "The CVM isn't in the recycle bin. It may have been destroyed.",
    });
  if (found.length > 1)
    throw new Problem('AMBIGUOUS_CVM', {
      message: `Several CVMs in the recycle bin are named “${first.cvm.name}”.`,
      details: found
        .slice(0, 10)
        .map(({ cvm }) => ({ field: 'vm_uuid', value: cvm.vm_uuid, message: cvm.name })),
    });
  return first;
}

/**
 * Latest deletion first; returns one row more than `limit` when there are more. `after`: number of the
 * previous page's last row.
 */
export async function listRecycled(
  db: Kysely<Database>,
  team_id: number,
  after: number | undefined,
  limit: number,
): Promise<RecycledFields[]> {
  const { rows } = await sql<Record<string, unknown>>`
    ${selectCvms(
      'full',
      sql`select * from cvms where team_id = ${team_id} and purge_at is not null
        ${after === undefined ? sql`` : sql`and (deleted_at, id) < (select deleted_at, id from cvms where id = ${after}::bigint)`}
        order by deleted_at desc, id desc limit ${limit + 1}`,
    )}
    order by cvm.deleted_at desc, cvm.id desc`.execute(db);
  const cvms = rows.map(joinedCvm);
  if (cvms.length === 0) return [];
  const ids = cvms.map(({ cvm }) => cvm.id);
  const [deletions, taken, ran] = await Promise.all([
    sql<{ cvm_id: number; public_id: string; username: string; avatar: string }>`
      select distinct on (o.cvm_id) o.cvm_id, u.public_id, u.username, u.avatar
      from operations o join users u on u.id = o.requested_by
      where o.cvm_id = any(${ids}::bigint[]) and o.type = 'delete'
      order by o.cvm_id, o.id desc`.execute(db),
    db
      .selectFrom('cvms')
      .select('name')
      .where('team_id', '=', team_id)
      .where('deleted_at', 'is', null)
      .where('name', 'in', [...new Set(cvms.map(({ cvm }) => cvm.name))])
      .execute(),
    runningWhenDeleted(db, ids),
  ]);
  const by = new Map(deletions.rows.map(({ cvm_id, ...user }) => [cvm_id, user]));
  const names = new Set(taken.map(({ name }) => name));
  return cvms.map((row) => ({
    row,
    deleted_by: by.get(row.cvm.id) ?? null,
    name_taken: names.has(row.cvm.name),
    starts: ran.has(row.cvm.id),
  }));
}

/** The error of an operation that a deletion canceled. */
export const CANCELLED_BY_DELETION = 'The CVM was deleted.';

/** Returns the operation that the deletion canceled, if any: the host may hold a half-applied change. */
export async function brokenOff(trx: Tx, cvm_id: number): Promise<OperationRow['type'] | null> {
  const rows = await trx
    .selectFrom('operations')
    .select(['type', 'state', 'error_message'])
    .where('cvm_id', '=', cvm_id)
    .where('type', 'not in', ['delete', 'purge', 'stop'])
    .orderBy('id', 'desc')
    .limit(1)
    .execute();
  const [last] = rows;
  return last?.state === 'cancelled' && last.error_message === CANCELLED_BY_DELETION ? last.type : null;
}

/** Returns those meant to run when they were deleted; later deletion attempts already found them stopped. */
export async function runningWhenDeleted(
  db: Kysely<Database>,
  cvm_ids: readonly number[],
): Promise<Set<number>> {
  const { rows } = await sql<{ cvm_id: number }>`
    select cvm_id from (
      select distinct on (cvm_id) cvm_id, payload->'previous'->>'desired' as desired from operations
      where cvm_id = any(${cvm_ids}::bigint[]) and type = 'delete' and payload->'previous'->>'desired' <> 'deleted'
      order by cvm_id, id desc
    ) last where desired = 'running'`.execute(db);
  return new Set(rows.map(({ cvm_id }) => cvm_id));
}
