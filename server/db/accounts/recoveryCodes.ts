import { sql } from 'kysely';
import type { Db, Tx } from '../core/client';

/** Replaces all codes, used ones included. `hashed_with` identifies the secret that hashed them. */
export async function replaceRecoveryCodes(
  trx: Tx,
  user_id: number,
  hashes: readonly Buffer[],
  hashed_with: string,
): Promise<void> {
  await deleteRecoveryCodes(trx, user_id);
  await trx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id, code_hash, hashed_with })))
    .execute();
}

/** Uses a code up; returns how many are left, or null when it doesn't exist. Of concurrent uses, one succeeds. */
export async function takeRecoveryCode(
  trx: Tx,
  user_id: number,
  hashes: readonly Buffer[],
): Promise<number | null> {
  const taken = await trx
    .updateTable('recovery_codes')
    .set({ used_at: sql<Date>`now()` })
    .where('user_id', '=', user_id)
    .where('code_hash', 'in', hashes)
    .where('used_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!taken) return null;
  const { left } = await trx
    .selectFrom('recovery_codes')
    .select((row) => row.fn.countAll<number>().as('left'))
    .where('user_id', '=', user_id)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return left;
}

/** Counts users whose unused codes were hashed with another secret than this one. */
export async function countUsersOfOtherCodes(db: Db | Tx, hashed_with: string): Promise<number> {
  const { users } = await db
    .selectFrom('recovery_codes')
    .select((row) => row.fn.count<number>('user_id').distinct().as('users'))
    .where('used_at', 'is', null)
    .where('hashed_with', 'is distinct from', hashed_with)
    .executeTakeFirstOrThrow();
  return users;
}

export async function deleteRecoveryCodes(trx: Tx, user_id: number): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', user_id).execute();
}
