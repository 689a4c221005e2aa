import { insertChallenge, listPasskeys } from '../../db/passkeys';
import { registrationOptions } from '../../domain/webauthn';
import { personOf } from '../shared/caller';
import { requireVerified } from '../shared/verified';
import type { Handler } from '../types';

export const createPasskeyRegistration: Handler<'createPasskeyRegistration'> = async ({ ctx }) => {
  const person = personOf(ctx);
  // Else it stayed with who made it, when the address's owner confirms it and sets a password of their own.
  requireVerified(ctx);
  const options = await registrationOptions(
    ctx.config.publicUrl,
    person,
    await listPasskeys(ctx.db, person.id),
  );
  await insertChallenge(ctx.db, options.challenge, { purpose: 'register', user_id: person.id });
  return { status: 200, body: { options: { ...options } } };
};
