import type { Tx } from '../../db/client';
import { deleteRecoveryCodes, replaceRecoveryCodes } from '../../db/recoveryCodes';
import type { UserRow } from '../../db/schema';
import { clearSecondFactor, countFactors, lockUser, markSecondFactor } from '../../db/secondFactors';
import type { SecondFactorMethod } from '../../domain/mail/types';
import { Problem } from '../../domain/problem';
import { hashRecoveryCode, newRecoveryCodes } from '../../domain/recoveryCode';
import { personOf } from '../shared/caller';
import { originOf } from '../shared/origin';
import type { Context } from '../types';

interface Factor {
  method: SecondFactorMethod;
  /** Of a passkey. */
  name: string | null;
}

/** The person, held until the transaction ends: of two first factors at once one is the first. */
export async function holdPerson(ctx: Context, trx: Tx): Promise<UserRow> {
  const user = await lockUser(trx, personOf(ctx).id);
  if (!user) throw new Problem('UNAUTHENTICATED');
  return user;
}

/**
 * After a factor was added: the session showed it just now. With the first one come recovery codes, which are
 * returned to be shown once; else null.
 */
export async function factorAdded(
  ctx: Context,
  trx: Tx,
  user: UserRow,
  factor: Factor,
): Promise<string[] | null> {
  await markSecondFactor(trx, user.id, ctx.caller.session?.id ?? null);
  await tell(ctx, trx, user, 'second_factor_enabled', factor);
  return user.second_factor_at === null ? freshRecoveryCodes(ctx, trx, user) : null;
}

/** After a factor was removed. With the last one go its recovery codes, and what sessions showed of it. */
export async function factorRemoved(ctx: Context, trx: Tx, user: UserRow, factor: Factor): Promise<void> {
  const { totp, passkeys } = await countFactors(trx, user.id);
  if (!totp && passkeys === 0) {
    await clearSecondFactor(trx, user.id);
    await deleteRecoveryCodes(trx, user.id);
  }
  await tell(ctx, trx, user, 'second_factor_disabled', factor);
}

export async function freshRecoveryCodes(ctx: Context, trx: Tx, user: UserRow): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => hashRecoveryCode(ctx.seal, user.public_id, code));
  await replaceRecoveryCodes(trx, user.id, hashes);
  return codes;
}

export const tell = (
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
