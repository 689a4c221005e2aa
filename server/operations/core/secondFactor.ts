import type { Tx } from '../../db/core/client';
import { findPasskey, takeChallenge, usePasskey, type ChallengePurpose } from '../../db/accounts/passkeys';
import { takeRecoveryCode } from '../../db/accounts/recoveryCodes';
import type { UserRow } from '../../db/accounts/usersTable';
import type { PasskeyRow } from '../../db/accounts/passkeysTable';
import { acceptTotpStep, findTotp } from '../../db/accounts/totp';
import { parseRecoveryCode, recoveryCodeHashes } from '../../domain/accounts/recoveryCode';
import { stepOfCode } from '../../domain/accounts/totp';
import {
  challengeOf,
  credentialIdOf,
  userHandleOf,
  verifyAssertion,
  type CredentialJson,
} from '../../domain/accounts/webauthn';
import type { Context } from '../types';
import { originOf } from './origin';

/** The purpose TOTP secrets are sealed for. */
export const TOTP_PURPOSE = 'totp';

/** Returns whether this is an unused code of the user's authenticator app, and uses it up. */
export async function acceptTotp(ctx: Context, trx: Tx, user_id: number, typed: string): Promise<boolean> {
  const totp = await findTotp(trx, user_id);
  if (!totp) return false;
  const step = stepOfCode(ctx.seal.open(TOTP_PURPOSE, totp.sealed_secret), typed);
  return step !== null && (await acceptTotpStep(trx, totp, step));
}

/**
 * Returns whether this is an unused recovery code of the user; if so, uses it up and notifies the user by
 * mail.
 */
export async function acceptRecoveryCode(
  ctx: Context,
  trx: Tx,
  user: UserRow,
  typed: string,
): Promise<boolean> {
  const code = parseRecoveryCode(typed);
  if (code === null) return false;
  const hashes = recoveryCodeHashes(ctx.seal, user.public_id, code);
  const remaining = await takeRecoveryCode(trx, user.id, hashes);
  if (remaining === null) return false;
  await ctx.mail.enqueue(trx, {
    to: user.email,
    template: 'recovery_code_used',
    data: { ...originOf(ctx), remaining },
    user_id: user.id,
  });
  return true;
}

export interface ShownPasskey {
  passkey: PasskeyRow;
  /** Records the use; returns false if another answer of the same passkey came first. */
  use(trx: Tx): Promise<boolean>;
}

/**
 * Returns the passkey that correctly answered a challenge made for this purpose and user (`user_id` null:
 * any user), or null. The challenge is used up either way, so this must not run in a transaction that may
 * roll back.
 */
export async function judgePasskey(
  ctx: Context,
  credential: CredentialJson,
  { purpose, user_id }: { purpose: ChallengePurpose; user_id: number | null },
): Promise<ShownPasskey | null> {
  const challenge = challengeOf(credential);
  const credential_id = credentialIdOf(credential);
  if (challenge === null || !(await takeChallenge(ctx.db, challenge, { purpose, user_id }))) return null;
  const found = credential_id && (await findPasskey(ctx.db, credential_id));
  if (!found || (user_id !== null && found.user_id !== user_id)) return null;
  const counter = await verifyAssertion(ctx.config.publicUrl, challenge, credential, found);
  if (counter === null) return null;
  return { passkey: found, use: (trx) => usePasskey(trx, found.id, counter) };
}

/** Returns whether the account an authenticator names (its user handle) is the passkey's. */
export const meansUser = (credential: CredentialJson, user: Pick<UserRow, 'public_id'>): boolean =>
  userHandleOf(credential) === user.public_id;
