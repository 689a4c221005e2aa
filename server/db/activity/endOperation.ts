import { sql } from 'kysely';
import { prepared, type Db, type Tx } from '../core/client';
import { toJson } from '../core/json';
import { NO_LEASE } from '../core/leases';
import type { CvmChange } from '../cvms/cvmsTable';
import { insertFrom, operationLeases, type NewEvent } from './operations';
import type { OperationRow, OperationStep } from './operationsTable';

export type OperationEnd = 'succeeded' | 'failed' | 'cancelled';

interface Ending {
  operation: Pick<OperationRow, 'id'>;
  owner: string;
  state: OperationEnd;
  steps: readonly OperationStep[];
  error_code: string | null;
  error_message: string | null;
  error_keys: readonly unknown[];
  /** The CVM and how it changes. */
  cvm: { id: number };
  change: CvmChange & { status_reason_keys?: string };
  /** Gets the operation's duration, for lists that end between the request and this event. */
  event: NewEvent;
  /** A revision that a CVM runs now. Later it may be superseded, but it is never a draft again. */
  live_revision_id: number | null;
}

/**
 * Ends an operation that `owner` holds: the operation, its CVM, its event and its revision change in one statement, or not
 * at all. @returns false if it isn't held, or if it would succeed although its cancellation was accepted
 */
export async function endOperation(
  db: Db | Tx,
  { operation, owner, state, steps, cvm, change, event, live_revision_id, ...end }: Ending,
): Promise<boolean> {
  const ended = db
    .updateTable('operations')
    .set({
      state,
      steps: toJson(steps),
      // The same time as the event's.
      finished_at: sql<Date>`now()`,
      ...NO_LEASE,
      error_code: end.error_code,
      error_message: end.error_message,
      error_keys: JSON.stringify(end.error_keys),
    })
    .where(operationLeases.isOwn(operation.id, owner))
    .$if(state === 'succeeded', (update) => update.where('cancel_requested_at', 'is', null))
    .returning(
      sql<number>`(floor(extract(epoch from finished_at) * 1000) - floor(extract(epoch from created_at) * 1000))::bigint`.as(
        'took_ms',
      ),
    );
  const changed = db
    .updateTable('cvms')
    .set({ ...change, updated_at: new Date() })
    .where('id', '=', cvm.id)
    .where(sql<boolean>`exists (select from ended)`);
  const { rows } = await sql`${prepared}
    with ended as (${ended}), changed as (${changed}), live as (
      update revisions set live_at = ${new Date()}
      where id = ${live_revision_id}::bigint and live_at is null and exists (select from ended)
    ), event as (${insertFrom(sql`ended`, event, sql`jsonb_build_object('took_ms', took_ms)`)})
    select from ended`.execute(db);
  return rows.length > 0;
}

/** Returns when the cancellation of an operation that `owner` holds was accepted, and whose it is; undefined if it isn't held. */
export const cancellationOf = (
  db: Db | Tx,
  id: number,
  owner: string,
): Promise<{ at: Date | null; by: number | null } | undefined> =>
  db
    .selectFrom('operations')
    .select(['cancel_requested_at as at', 'cancel_requested_by as by'])
    .where(operationLeases.isOwn(id, owner))
    .executeTakeFirst();
