import { insertChallenge } from '../../../db/accounts/passkeys';
import { assertionOptions } from '../../../domain/accounts/webauthn';
import type { Handler } from '../../types';

/** Names no account and is the same for everyone, so it reveals nothing about accounts. */
export const createPasskeyChallenge: Handler<'createPasskeyChallenge'> = async ({ ctx }) => {
  const options = await assertionOptions(ctx.config.publicUrl);
  await insertChallenge(ctx.db, options.challenge, { purpose: 'sign_in', user_id: null });
  return { status: 200, body: { options: { ...options } } };
};
