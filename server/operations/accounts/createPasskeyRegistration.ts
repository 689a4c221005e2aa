import { insertChallenge, listPasskeys } from '../../db/accounts/passkeys';
import { registrationOptions } from '../../domain/accounts/webauthn';
import { userOf } from '../core/caller';
import { requireVerified } from '../core/requireVerified';
import type { Handler } from '../types';

export const createPasskeyRegistration: Handler<'createPasskeyRegistration'> = async ({ ctx }) => {
  const user = userOf(ctx);
  // Otherwise the registrant would keep the passkey after the address's owner confirms it and sets a password.
  requireVerified(ctx);
  const options = await registrationOptions(
    { brand: ctx.site.brand, public_url: ctx.config.publicUrl },
    user,
    await listPasskeys(ctx.db, user.id),
  );
  await insertChallenge(ctx.db, options.challenge, { purpose: 'register', user_id: user.id });
  return { status: 200, body: { options: { ...options } } };
};
