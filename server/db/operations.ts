import { randomUUID } from 'node:crypto';
import { sql, type Kysely, type Transaction } from 'kysely';
import { outcome, transitions, type OperationType } from '../domain/cvmStates';
import { busyProblem } from '../domain/busy';
import type { CvmRow, Database, OperationPayload, OperationRow, OperationStep } from './schema';

/** How long a worker may be silent before another takes its operation over. */
export const LEASE_SECONDS = 10;

export interface NewOperation {
  cvm: CvmRow;
  type: OperationType;
  payload?: OperationPayload;
  user_id: number | null;
}

/**
 * Begins a change: the operation row, the CVM's status and its event, in the caller's transaction. A CVM has one live
 * operation at most; a second is refused with 409 and told which one is running.
 */
export async function beginOperation(
  trx: Transaction<Database>,
  { cvm, type, payload = {}, user_id }: NewOperation,
): Promise<OperationRow> {
  const { during, deadline_seconds } = transitions[type];
  const { target, desired } = outcome(type, cvm);
  const row = await trx
    .insertInto('operations')
    .values({
      correlation_id: randomUUID(),
      team_id: cvm.team_id,
      cvm_id: cvm.id,
      type,
      target,
      payload: JSON.stringify({ ...payload, previous: { status: cvm.status, desired: cvm.desired } }),
      requested_by: user_id,
      deadline_at: new Date(Date.now() + deadline_seconds * 1000),
    })
    .onConflict((conflict) =>
      conflict
        .column('cvm_id')
        .where(sql<boolean>`state in ('queued', 'running')`)
        .doNothing(),
    )
    .returningAll()
    .executeTakeFirst();
  if (!row) throw busyProblem(cvm.name, await liveOperation(trx, cvm.id));
  await trx
    .updateTable('cvms')
    .set({
      status: during,
      desired,
      status_reason: null,
      updated_at: new Date(),
      ...(type === 'deploy' ? {} : { boot_progress: null, boot_error: null }),
    })
    .where('id', '=', cvm.id)
    .execute();
  await addEvent(trx, {
    cvm,
    operation: row,
    kind: `${type}.requested`,
    message:
      type === 'delete' && (await isLast(trx, cvm))
        ? 'Deletion requested; it is the last CVM of its app, which ends with it'
        : requested[type],
    ...(payload.reason === undefined ? {} : { data: { reason: payload.reason } }),
  });
  return row;
}

/** Whether the app has no other CVM, so that it is archived with this one. */
async function isLast(trx: Transaction<Database>, cvm: CvmRow): Promise<boolean> {
  const other = await trx
    .selectFrom('cvms')
    .select('id')
    .where('app_id', '=', cvm.app_id)
    .where('id', '<>', cvm.id)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
}

const requested: Record<OperationType, string> = {
  deploy: 'Deployment requested',
  start: 'Start requested',
  stop: 'Stop requested',
  shutdown: 'Shutdown requested',
  restart: 'Restart requested',
  update: 'Update requested',
  resize: 'Resize requested',
  delete: 'Deletion requested',
  move: 'Move to another host requested',
  purge: 'Destruction of disk and secrets requested',
};

export function liveOperation(db: Kysely<Database>, cvm_id: number) {
  return db
    .selectFrom('operations')
    .selectAll()
    .where('cvm_id', '=', cvm_id)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst();
}

export interface NewEvent {
  /** `id` null: about the app, not one of its CVMs. */
  cvm: Pick<CvmRow, 'team_id' | 'app_id'> & { id: number | null };
  operation?: Pick<OperationRow, 'id'> | null;
  kind: string;
  message: string;
  severity?: 'info' | 'warning' | 'error';
  data?: Record<string, unknown>;
}

export async function addEvent(db: Kysely<Database>, event: NewEvent): Promise<void> {
  await db
    .insertInto('events')
    .values({
      team_id: event.cvm.team_id,
      app_id: event.cvm.app_id,
      cvm_id: event.cvm.id,
      operation_id: event.operation?.id ?? null,
      kind: event.kind,
      severity: event.severity ?? 'info',
      message: event.message,
      data: JSON.stringify(event.data ?? {}),
    })
    .execute();
}

/** Takes the operation for `owner` unless it is finished or another worker holds a live lease. */
export async function claimOperation(
  db: Kysely<Database>,
  correlation_id: string,
  owner: string,
): Promise<OperationRow | undefined> {
  return db
    .updateTable('operations')
    .set({
      state: 'running',
      lease_owner: owner,
      lease_until: sql`now() + make_interval(secs => ${LEASE_SECONDS})`,
      started_at: sql`coalesce(started_at, now())`,
      attempts: sql`attempts + 1`,
    })
    .where('correlation_id', '=', correlation_id)
    .where('state', 'in', ['queued', 'running'])
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<', sql<Date>`now()`)]))
    .returningAll()
    .executeTakeFirst();
}

/** `lost`: whoever holds the lease now owns the operation, the caller must stop touching it. */
export type Hold = 'held' | 'cancelled' | 'lost';

const holdOf = (row: { cancel_requested_at: Date | null } | undefined): Hold =>
  row === undefined ? 'lost' : row.cancel_requested_at ? 'cancelled' : 'held';

export async function renewLease(db: Kysely<Database>, id: number, owner: string): Promise<Hold> {
  const row = await db
    .updateTable('operations')
    .set({ lease_until: sql`now() + make_interval(secs => ${LEASE_SECONDS})` })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .where('state', '=', 'running')
    .returning('cancel_requested_at')
    .executeTakeFirst();
  return holdOf(row);
}

export async function saveSteps(
  db: Kysely<Database>,
  id: number,
  owner: string,
  steps: OperationStep[],
): Promise<Hold> {
  const row = await db
    .updateTable('operations')
    .set({ steps: JSON.stringify(steps) })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .where('state', '=', 'running')
    .returning('cancel_requested_at')
    .executeTakeFirst();
  return holdOf(row);
}

/**
 * Gives back the leases of workers that `isDead` knows to be gone, so that their operations go on at once and not when
 * the leases run out. @returns how many
 */
export async function releaseLeases(
  db: Kysely<Database>,
  isDead: (owner: string) => boolean,
): Promise<number> {
  const held = await db
    .selectFrom('operations')
    .select('lease_owner')
    .distinct()
    .where('state', '=', 'running')
    .where('lease_owner', 'is not', null)
    .limit(1000)
    .execute();
  const dead = held.flatMap(({ lease_owner }) =>
    lease_owner !== null && isDead(lease_owner) ? [lease_owner] : [],
  );
  if (dead.length === 0) return 0;
  const released = await db
    .updateTable('operations')
    .set({ lease_owner: null, lease_until: null })
    .where('state', '=', 'running')
    .where('lease_owner', 'in', dead)
    .executeTakeFirst();
  return Number(released.numUpdatedRows);
}

/** Operations nobody works on: queued and not woken, or left by a worker that died. Not those of the `except` hosts. */
export async function orphanedOperations(
  db: Kysely<Database>,
  except: readonly number[] = [],
): Promise<{ correlation_id: string; teepod_id: number }[]> {
  const { rows } = await sql<{ correlation_id: string; teepod_id: number }>`
    select o.correlation_id, c.teepod_id from operations o join cvms c on c.id = o.cvm_id
    where o.state in ('queued', 'running')
      and (o.lease_until < now() or (o.lease_until is null and o.created_at < now() - interval '2 seconds'))
      and c.teepod_id <> all(${[...except]}::bigint[])
    order by o.id limit 500`.execute(db);
  return rows;
}
