import { sql } from 'kysely';
import type { Tx } from '../core/client';

/** Replaces all codes, used ones included. */
export async function replaceRecoveryCodes(
  trx: Tx,
  user_id: number,
  hashes: readonly Buffer[],
): Promise<void> {
  await deleteRecoveryCodes(trx, user_id);
  await trx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id, code_hash })))
    .execute();
}

/** Uses a code up; returns how many are left, or null when it doesn't exist. Of concurrent uses, one succeeds. */
export async function takeRecoveryCode(trx: Tx, user_id: number, code_hash: Buffer): Promise<number | null> {
  const taken = await trx
    .updateTable('recovery_codes')
    .set({ used_at: sql<Date>`now()` })
    .where('user_id', '=', user_id)
    .where('code_hash', '=', code_hash)
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

export async function deleteRecoveryCodes(trx: Tx, user_id: number): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', user_id).execute();
}
