import { insertChallenge } from '../../db/passkeys';
import { assertionOptions } from '../../domain/webauthn';
import type { Handler } from '../types';

/** Names nobody and is the same for everybody, so it tells nothing about accounts. */
export const createPasskeyChallenge: Handler<'createPasskeyChallenge'> = async ({ ctx }) => {
  const options = await assertionOptions(ctx.config.publicUrl);
  await insertChallenge(ctx.db, options.challenge, { purpose: 'sign_in', user_id: null });
  return { status: 200, body: { options: { ...options } } };
};
