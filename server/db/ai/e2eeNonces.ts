import type { Generated } from 'kysely';
import type { Db } from '../core/client';

/** One row per encrypted AI request, until its timestamp is too old to be repeated (migration 0210_e2ee_nonces). */
export interface AiE2eeNoncesTable {
  /** SHA-256 of the gateway's public key and the nonce. */
  hash: Buffer;
  created_at: Generated<Date>;
}

/** @returns false if this request was made before, on any process */
export async function claimE2eeNonce(db: Db, hash: Buffer): Promise<boolean> {
  const row = await db
    .insertInto('ai_e2ee_nonces')
    .values({ hash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('hash')
    .executeTakeFirst();
  return row !== undefined;
}
