import { insertChallenge, listPasskeys, type ChallengePurpose } from '../../db/passkeys';
import { Problem } from '../../domain/problem';
import { assertionOptions } from '../../domain/webauthn';
import type { Context } from '../types';

/** Options for one of the person's passkeys. Throws SECOND_FACTOR_MISSING when they have none. */
export async function challengeFor(
  ctx: Context,
  user_id: number,
  purpose: ChallengePurpose,
): Promise<{ options: Record<string, unknown> }> {
  const held = await listPasskeys(ctx.db, user_id);
  if (held.length === 0)
    throw new Problem('SECOND_FACTOR_MISSING', { message: 'There is no passkey for this account.' });
  const options = await assertionOptions(ctx.config.publicUrl, held);
  await insertChallenge(ctx.db, options.challenge, { purpose, user_id });
  return { options: { ...options } };
}
