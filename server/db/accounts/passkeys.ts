import { sql } from 'kysely';
import { publicId } from '../../domain/core/publicId';
import {
  CHALLENGE_SECONDS,
  hashChallenge,
  MAX_PASSKEYS,
  type NewPasskey,
} from '../../domain/accounts/webauthn';
import type { Db, Tx } from '../core/client';
import type { PasskeyChallengesTable } from './passkeyChallengesTable';
import type { PasskeyRow } from './passkeysTable';

export type ChallengePurpose = PasskeyChallengesTable['purpose'];

/** Returns a user's passkeys, oldest first. */
export function listPasskeys(db: Db | Tx, user_id: number): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', user_id)
    .orderBy('id')
    .limit(MAX_PASSKEYS)
    .execute();
}

export function findPasskey(db: Db | Tx, credential_id: Buffer): Promise<PasskeyRow | undefined> {
  return db.selectFrom('passkeys').selectAll().where('credential_id', '=', credential_id).executeTakeFirst();
}

/** Returns null when the credential is already registered. */
export async function insertPasskey(
  trx: Tx,
  user_id: number,
  { name, ...passkey }: NewPasskey & { name: string },
): Promise<PasskeyRow | null> {
  const row = await trx
    .insertInto('passkeys')
    .values({ ...passkey, name, user_id, public_id: publicId('psk') })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export async function renamePasskey(
  trx: Tx,
  user_id: number,
  public_id: string,
  name: string,
): Promise<{ before: string; row: PasskeyRow } | null> {
  const own = () =>
    trx.selectFrom('passkeys').where('user_id', '=', user_id).where('public_id', '=', public_id);
  const held = await own().select('name').forUpdate().executeTakeFirst();
  if (!held) return null;
  const row = await trx
    .updateTable('passkeys')
    .set({ name })
    .where('user_id', '=', user_id)
    .where('public_id', '=', public_id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { before: held.name, row };
}

export function deletePasskeyRow(
  trx: Tx,
  user_id: number,
  public_id: string,
): Promise<PasskeyRow | undefined> {
  return trx
    .deleteFrom('passkeys')
    .where('user_id', '=', user_id)
    .where('public_id', '=', public_id)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Records a passkey use; returns false when its counter did not grow, which indicates a cloned authenticator
 * (WebAuthn §6.1.1). Authenticators without a counter always report 0. One UPDATE, so of two concurrent
 * answers the older one loses.
 */
export async function usePasskey(trx: Tx, id: number, counter: number): Promise<boolean> {
  const row = await trx
    .updateTable('passkeys')
    .set({ counter, last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where((row) =>
      row.or([row('counter', '<', counter), row.and([row('counter', '=', 0), sql<boolean>`${counter} = 0`])]),
    )
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** `user_id` null: any user may answer. */
export async function insertChallenge(
  db: Db,
  challenge: string,
  { purpose, user_id }: { purpose: ChallengePurpose; user_id: number | null },
): Promise<void> {
  await db
    .insertInto('passkey_challenges')
    .values({
      challenge_hash: hashChallenge(challenge),
      purpose,
      user_id,
      expires_at: new Date(Date.now() + CHALLENGE_SECONDS * 1000),
    })
    .execute();
}

/**
 * Uses a challenge up, whether or not the answer is right; returns true when it was created for this purpose
 * and user.
 */
export async function takeChallenge(
  db: Db,
  challenge: string,
  { purpose, user_id }: { purpose: ChallengePurpose; user_id: number | null },
): Promise<boolean> {
  const row = await db
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', hashChallenge(challenge))
    .returning(['purpose', 'user_id', 'expires_at'])
    .executeTakeFirst();
  return row?.purpose === purpose && row.user_id === user_id && row.expires_at.getTime() > Date.now();
}
