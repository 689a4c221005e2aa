import { sql } from 'kysely';
import { withTransaction, type Db } from '../core/client';

/** One row per network in use: its RPCs' answers at the last check (migration 0080_chain_checks). */
export interface ChainChecksTable {
  chain_id: number;
  /** At least one RPC serves the intended chain. */
  usable: boolean;
  /** Problem of the other RPCs, for administrators; null if none. */
  problem: string | null;
  checked_at: Date;
}

/** Returns the networks that a KMS or contract is on. */
export async function chainsInUse(db: Db): Promise<number[]> {
  const { rows } = await sql<{ chain_id: number }>`
    select chain_id from kms where chain_id is not null and state <> 'retired'
    union select chain_id from kms_contracts where state <> 'retired'`.execute(db);
  return rows.map(({ chain_id }) => chain_id);
}

/** Records the checks and forgets networks no longer in use. Returns the problems known before. */
export const recordChainChecks = (
  db: Db,
  checks: readonly ChainChecksTable[],
): Promise<Map<number, string | null>> =>
  withTransaction(db, async (trx) => {
    const before = await trx.selectFrom('chain_checks').select(['chain_id', 'problem']).execute();
    await trx
      .deleteFrom('chain_checks')
      .where(({ not, eb }) =>
        not(eb('chain_id', '=', eb.fn.any(eb.val(checks.map(({ chain_id }) => chain_id))))),
      )
      .execute();
    for (const { chain_id, ...check } of checks)
      await trx
        .insertInto('chain_checks')
        .values({ chain_id, ...check })
        .onConflict((conflict) => conflict.column('chain_id').doUpdateSet(check))
        .execute();
    return new Map(before.map(({ chain_id, problem }) => [chain_id, problem]));
  });
