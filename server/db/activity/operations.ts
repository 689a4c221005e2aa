import type { EventKind } from '../../../console/lib/activity/eventKinds';
import { operationResult, RESTORE_REQUESTED } from '../../../console/lib/cvms/operationWords';
import { randomUUID } from 'node:crypto';
import {
  sql,
  type Kysely,
  type RawBuilder,
  type Transaction,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely';
import { outcome, transitions, type CvmStatus, type OperationType } from '../../domain/cvms/cvmStates';
import { busyProblem } from '../../domain/cvms/operationConflict';
import { prepared } from '../core/client';
import { inStates, leasesOf } from '../core/leases';
import type { CvmRow } from '../cvms/cvmsTable';
import type { Database } from '../core/schema';
import type { NamedOperationRow, OperationPayload, OperationRow, OperationStep } from './operationsTable';
import { rollsBack } from './rollsBack';
import { LIVE_OPERATION } from '../../../console/lib/cvms/allowedActions';
import { isIn } from '../core/states';
import { statusReason } from '../cvms/statusReason';
import { toJson } from '../core/json';

/** Workers renew every three seconds; see OperationRun. */
export const operationLeases = leasesOf({
  table: 'operations',
  open: inStates(...LIVE_OPERATION),
  held: inStates('running'),
  seconds: 10,
  onTake: sql`state = 'running', started_at = coalesce(started_at, now()), attempts = attempts + 1`,
});

export interface NewOperation {
  cvm: CvmRow;
  type: OperationType;
  payload?: OperationPayload;
  user_id: number | null;
  /** A new one unless given. */
  correlation_id?: string;
  /** The CVM's status while it runs, if not that of its type. */
  during?: CvmStatus;
  /** The span it belongs to, if not that of the current request. */
  traceparent?: string | null;
}

/**
 * Starts an operation in the caller's transaction: writes its row, the CVM's status and its event. A CVM has
 * at most one live operation; a second is refused with 409 and the name of the one in progress.
 */
export async function beginOperation(
  trx: Transaction<Database>,
  {
    cvm,
    type,
    payload = {},
    user_id,
    correlation_id = randomUUID(),
    during = transitions[type].during,
    traceparent,
  }: NewOperation,
): Promise<NamedOperationRow> {
  const { deadline_seconds } = transitions[type];
  const { target, desired } = outcome(type, cvm);
  const row = await trx
    .insertInto('operations')
    .values({
      correlation_id,
      team_id: cvm.team_id,
      cvm_id: cvm.id,
      type,
      target,
      payload: toJson({ ...payload, previous: { status: cvm.status, desired: cvm.desired } }),
      requested_by: user_id,
      deadline_at: new Date(Date.now() + deadline_seconds * 1000),
      ...(traceparent ? { traceparent } : {}),
    })
    .onConflict((conflict) => conflict.column('cvm_id').where(isIn('state', LIVE_OPERATION)).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) throw busyProblem(cvm.name, await liveOperation(trx, cvm.id));
  // A deployed CVM was inserted with its in-progress status.
  if (type !== 'deploy')
    await trx
      .updateTable('cvms')
      .set({
        status: during,
        desired,
        ...statusReason(null),
        updated_at: new Date(),
        boot_progress: null,
        boot_error: null,
      })
      .where('id', '=', cvm.id)
      .execute();
  await addEvent(trx, {
    cvm,
    operation: row,
    kind: `${type}.requested`,
    message:
      type === 'delete' && (await isLast(trx, cvm))
        ? `${operationResult(type, 'requested')}: the app’s last CVM`
        : payload.restores
          ? RESTORE_REQUESTED
          : operationResult(type, 'requested', payload),
    ...(payload.reason === undefined ? {} : { data: { reason: payload.reason } }),
  });
  return { ...row, rolls_back: type === 'update' && payload.rolls_back === true };
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

export function liveOperation(db: Kysely<Database>, cvm_id: number): Promise<NamedOperationRow | undefined> {
  return db
    .selectFrom('operations')
    .selectAll()
    .select(rollsBack('operations').as('rolls_back'))
    .where('cvm_id', '=', cvm_id)
    .where('state', 'in', LIVE_OPERATION)
    .executeTakeFirst();
}

const EVENT_BATCH_SIZE = 1000;

export interface NewEvent {
  /** `id` null: the event concerns the app, not one of its CVMs. */
  cvm: Pick<CvmRow, 'team_id' | 'app_id'> & { id: number | null };
  operation?: Pick<OperationRow, 'id'> | null;
  kind: EventKind;
  message: string;
  severity?: 'info' | 'warning' | 'error';
  data?: Record<string, unknown>;
}

const eventRow = ({ cvm, operation, kind, severity = 'info', message, data = {} }: NewEvent) => ({
  team_id: cvm.team_id,
  app_id: cvm.app_id,
  cvm_id: cvm.id,
  operation_id: operation?.id ?? null,
  kind,
  severity,
  message,
  data: toJson(data),
});

export const addEvent = (db: Kysely<Database>, event: NewEvent): Promise<void> => addEvents(db, [event]);

/**
 * Adds events in this order, one statement per 1,000. One statement per event would take minutes for all CVMs
 * of a large node.
 */
export async function addEvents(db: Kysely<Database>, events: readonly NewEvent[]): Promise<void> {
  for (let from = 0; from < events.length; from += EVENT_BATCH_SIZE) {
    const some = events.slice(from, from + EVENT_BATCH_SIZE);
    await db
      .insertInto('events')
      .values(some.map(eventRow))
      // Almost always one.
      .$if(some.length === 1, (insert) => insert.modifyEnd(prepared))
      .execute();
  }
}

/**
 * Inserts the event once for each row of a query, as part of a statement.
 * @param also an object that is added to its data, from the row
 */
export function insertFrom(query: RawBuilder<unknown>, event: NewEvent, also?: RawBuilder<unknown>) {
  const { data, ...row } = eventRow(event);
  const columns = Object.keys(row).map((column) => sql.ref(column));
  return sql`insert into events (${sql.join(columns)}, data)
    select ${sql.join(Object.values(row))}, ${data}::jsonb${also ? sql` || ${also}` : sql``} from ${query}`;
}

/**
 * Makes a change and adds its event in one statement. A change that matches no row adds none.
 * @returns whether it changed any row
 */
export async function changeWithEvent(
  db: Kysely<Database>,
  change: UpdateQueryBuilder<Database, 'cvms', 'cvms', UpdateResult>,
  event: NewEvent,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`${prepared}
    with changed as (${change.returning('cvms.id')})
    ${insertFrom(sql`changed`, event)}`.execute(db);
  return numAffectedRows > 0n;
}

/** Claims the operation for `owner` unless it is finished or another worker holds a live lease. */
export async function claimOperation(
  db: Kysely<Database>,
  correlation_id: string,
  owner: string,
): Promise<OperationRow | undefined> {
  const [taken] = await operationLeases.take(db, owner, sql`correlation_id = ${correlation_id}`);
  return taken;
}

/** `lost`: another worker now holds the lease, and the caller must stop working on the operation. */
export type Hold = 'held' | 'cancelled' | 'lost';

const holdOf = (row: { cancel_requested_at: Date | null } | undefined): Hold =>
  row === undefined ? 'lost' : row.cancel_requested_at ? 'cancelled' : 'held';

export const renewOperation = async (db: Kysely<Database>, id: number, owner: string): Promise<Hold> =>
  holdOf(await operationLeases.renew(db, id, owner, ['cancel_requested_at']));

export async function saveSteps(
  db: Kysely<Database>,
  id: number,
  owner: string,
  steps: OperationStep[],
): Promise<Hold> {
  const row = await db
    .updateTable('operations')
    .set({ steps: toJson(steps) })
    .where(operationLeases.isOwn(id, owner))
    .returning('cancel_requested_at')
    .modifyEnd(prepared)
    .executeTakeFirst();
  return holdOf(row);
}

/**
 * Returns operations without a worker: queued but not woken, or left by a worker that died. Excludes those of
 * the `except` hosts.
 */
export async function orphanedOperations(
  db: Kysely<Database>,
  except: readonly number[] = [],
): Promise<{ correlation_id: string; teepod_id: number }[]> {
  const { rows } = await sql<{ correlation_id: string; teepod_id: number }>`
    select o.correlation_id, c.teepod_id from operations o join cvms c on c.id = o.cvm_id
    where ${isIn('o.state', LIVE_OPERATION)}
      and (o.lease_until < now() or (o.lease_until is null and o.created_at < now() - interval '2 seconds'))
      and c.teepod_id <> all(${[...except]}::bigint[])
    order by o.id limit 500`.execute(db);
  return rows;
}
