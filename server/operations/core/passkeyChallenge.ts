import { insertChallenge, listPasskeys, type ChallengePurpose } from '../../db/accounts/passkeys';
import { Problem } from '../../domain/core/problem';
import { assertionOptions } from '../../domain/accounts/webauthn';
import type { Context } from '../types';

/** Returns options for one of the user's passkeys. Throws SECOND_FACTOR_MISSING if they have none. */
export async function challengeFor(
  ctx: Context,
  user_id: number,
  purpose: ChallengePurpose,
): Promise<{ options: Record<string, unknown> }> {
  const held = await listPasskeys(ctx.db, user_id);
  if (held.length === 0)
    throw new Problem('SECOND_FACTOR_MISSING', { message: 'This account has no passkey.' });
  const options = await assertionOptions(ctx.config.publicUrl, held);
  await insertChallenge(ctx.db, options.challenge, { purpose, user_id });
  return { options: { ...options } };
}
