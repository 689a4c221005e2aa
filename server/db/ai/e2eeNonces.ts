import { sql, type Generated } from 'kysely';
import { WINDOW_SECONDS } from '../../domain/ai/e2ee/channel';
import type { Db } from '../core/client';

/**
 * One row per encrypted AI request, until its timestamp is too old for a replay (migration 0210_e2ee_nonces).
 */
export interface AiE2eeNoncesTable {
  /** SHA-256 of the gateway's public key and the nonce. */
  hash: Buffer;
  created_at: Generated<Date>;
}

/** @returns false if any process has already seen this request */
export async function claimE2eeNonce(db: Db, hash: Buffer): Promise<boolean> {
  const row = await db
    .insertInto('ai_e2ee_nonces')
    .values({ hash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('hash')
    .executeTakeFirst();
  return row !== undefined;
}

const BATCH_SIZE = 5_000;

/**
 * Deletes all nonces whose timestamp would now be refused. A busy gateway adds more in a minute than one batch.
 */
export async function forgetE2eeNonces(db: Db): Promise<void> {
  for (let deleted = BATCH_SIZE; deleted === BATCH_SIZE;) {
    const { numAffectedRows } = await sql`delete from ai_e2ee_nonces where hash in (
      select hash from ai_e2ee_nonces where created_at < now() - make_interval(secs => ${3 * WINDOW_SECONDS})
      order by created_at limit ${BATCH_SIZE})`.execute(db);
    deleted = Number(numAffectedRows ?? 0);
  }
}
