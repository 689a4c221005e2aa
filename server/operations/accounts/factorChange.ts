import type { Tx } from '../../db/core/client';
import { deleteRecoveryCodes, replaceRecoveryCodes } from '../../db/accounts/recoveryCodes';
import type { UserRow } from '../../db/accounts/usersTable';
import { clearSecondFactor, countFactors, lockUser, markSecondFactor } from '../../db/accounts/secondFactors';
import type { SecondFactorMethod } from '../../domain/notifications/mail/types';
import { Problem } from '../../domain/core/problem';
import { hashRecoveryCode, newRecoveryCodes, recoveryCodeSecret } from '../../domain/accounts/recoveryCode';
import { userOf } from '../core/caller';
import { originOf } from '../core/origin';
import type { Context } from '../types';

interface Factor {
  method: SecondFactorMethod;
  /** Passkey name. */
  name: string | null;
}

/**
 * Locks the user until the transaction ends, so that only one of two concurrent first factors counts as the
 * first.
 */
export async function lockCaller(ctx: Context, trx: Tx): Promise<UserRow> {
  const user = await lockUser(trx, userOf(ctx).id);
  if (!user) throw new Problem('UNAUTHENTICATED');
  return user;
}

/**
 * Runs after a factor was added, which the session has just proved. Returns the recovery codes created with
 * the first factor, which are shown only once; null for later factors.
 */
export async function factorAdded(
  ctx: Context,
  trx: Tx,
  user: UserRow,
  factor: Factor,
): Promise<string[] | null> {
  await markSecondFactor(trx, user.id, ctx.caller.session?.id ?? null);
  await notifyUser(ctx, trx, user, 'second_factor_enabled', factor);
  return user.second_factor_at === null ? freshRecoveryCodes(ctx, trx, user) : null;
}

/**
 * Runs after a factor was removed. With the last factor, also removes its recovery codes and clears the
 * second-factor state of sessions.
 */
export async function factorRemoved(ctx: Context, trx: Tx, user: UserRow, factor: Factor): Promise<void> {
  const { totp, passkeys } = await countFactors(trx, user.id);
  if (!totp && passkeys === 0) {
    await clearSecondFactor(trx, user.id);
    await deleteRecoveryCodes(trx, user.id);
  }
  await notifyUser(ctx, trx, user, 'second_factor_disabled', factor);
}

export async function freshRecoveryCodes(ctx: Context, trx: Tx, user: UserRow): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => hashRecoveryCode(ctx.seal, user.public_id, code));
  await replaceRecoveryCodes(trx, user.id, hashes, recoveryCodeSecret(ctx.seal));
  return codes;
}

export const notifyUser = (
  ctx: Context,
  trx: Tx,
  user: UserRow,
  template: 'second_factor_enabled' | 'second_factor_disabled',
  factor: Factor,
): Promise<void> =>
  ctx.mail.enqueue(trx, {
    to: user.email,
    template,
    data: { ...originOf(ctx), ...factor },
    user_id: user.id,
  });
