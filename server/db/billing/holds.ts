import { sql, type Generated } from 'kysely';
import { LIVE_OPERATION } from '../../../console/lib/cvms/allowedActions';
import type { OperationRow } from '../activity/operationsTable';
import type { Db, Tx } from '../core/client';

/** One row per operation that starts or enlarges a CVM, while billing is enforced (migration 0039_balance_holds). */
export interface BalanceHoldsTable {
  operation_id: number;
  team_id: number;
  cvm_id: number;
  amount_micros: number;
  created_at: Generated<Date>;
}

/**
 * Serializes the team's deployments until this transaction ends, so that no two spend the same balance. Rows
 * that refer to the team can still be written.
 */
export const lockFunds = (trx: Tx, team_id: number) =>
  trx.selectFrom('teams').select('id').where('id', '=', team_id).forNoKeyUpdate().executeTakeFirstOrThrow();

/**
 * Returns the amount set aside by refunds in progress and holds, in micro-dollars. A hold counts in full while
 * its operation is in progress, then less by the second as usage replaces it, and not at all once the CVM has
 * stopped or the operation has failed. The clock of the worker that ended the operation may be ahead of this
 * process's. AI request holds are part of `currentBalance`.
 */
export async function heldFunds(db: Db | Tx, team_id: number, now: Date): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    select (select coalesce(sum(amount_micros), 0) from card_refunds where team_id = ${team_id} and state = 'pending')::bigint
      + coalesce(sum(case
      when o.state = any(${[...LIVE_OPERATION]}) then h.amount_micros
      when o.state = 'succeeded' and c.deleted_at is null and c.status not in ('stopped', 'error', 'deleting', 'deleted')
        then greatest(0, h.amount_micros - floor(h.amount_micros * greatest(0, extract(epoch from ${now}::timestamptz - o.finished_at)) / 3600))
      else 0 end), 0)::bigint as held
    from balance_holds h join operations o on o.id = h.operation_id join cvms c on c.id = h.cvm_id
    where h.team_id = ${team_id}`.execute(db);
  return rows[0]?.held ?? 0;
}

/**
 * Sets an amount aside for an operation. With `replaces`, it is for the whole CVM and ends the CVM's earlier
 * holds.
 */
export async function insertHold(
  trx: Tx,
  { id, team_id, cvm_id }: Pick<OperationRow, 'id' | 'team_id' | 'cvm_id'>,
  amount_micros: number,
  { replaces }: { replaces: boolean },
): Promise<void> {
  if (amount_micros <= 0) return;
  if (replaces) await trx.deleteFrom('balance_holds').where('cvm_id', '=', cvm_id).execute();
  await trx
    .insertInto('balance_holds')
    .values({ operation_id: id, team_id, cvm_id, amount_micros })
    .execute();
}
