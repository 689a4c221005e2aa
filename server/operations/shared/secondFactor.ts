import type { Tx } from '../../db/client';
import { findPasskey, takeChallenge, usePasskey, type ChallengePurpose } from '../../db/passkeys';
import { takeRecoveryCode } from '../../db/recoveryCodes';
import type { UserRow } from '../../db/schema';
import type { PasskeyRow } from '../../db/schemaPeople';
import { acceptTotpStep, findTotp } from '../../db/totp';
import { hashRecoveryCode, parseRecoveryCode } from '../../domain/recoveryCode';
import { stepOfCode } from '../../domain/totp';
import {
  challengeOf,
  credentialIdOf,
  userHandleOf,
  verifyAssertion,
  type CredentialJson,
} from '../../domain/webauthn';
import type { Context } from '../types';
import { originOf } from './origin';

/** What the TOTP secret is sealed for. */
export const TOTP_PURPOSE = 'totp';

/** Whether it is a code of the person's authenticator app that nobody used before; then it is used. */
export async function acceptTotp(ctx: Context, trx: Tx, user_id: number, typed: string): Promise<boolean> {
  const totp = await findTotp(trx, user_id);
  if (!totp) return false;
  const step = stepOfCode(ctx.seal.open(TOTP_PURPOSE, totp.sealed_secret), typed);
  return step !== null && (await acceptTotpStep(trx, totp, step));
}

/** Whether it is an unused recovery code of the person; then it is used, and they are told by mail. */
export async function acceptRecoveryCode(
  ctx: Context,
  trx: Tx,
  user: UserRow,
  typed: string,
): Promise<boolean> {
  const code = parseRecoveryCode(typed);
  if (code === null) return false;
  const remaining = await takeRecoveryCode(trx, user.id, hashRecoveryCode(ctx.seal, user.public_id, code));
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
  /** Notes the use; false when another answer of the same passkey came first. */
  use(trx: Tx): Promise<boolean>;
}

/**
 * The passkey that gave a true answer to a challenge made for this purpose and person (`user_id` null: whoever it
 * is), or null. The challenge is used up either way, so this is not part of a transaction that may be undone.
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

/** Whether the account an authenticator means to sign in to (its user handle) is the one of the passkey. */
export const meansUser = (credential: CredentialJson, user: Pick<UserRow, 'public_id'>): boolean =>
  userHandleOf(credential) === user.public_id;
