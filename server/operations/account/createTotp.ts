import { putTotp } from '../../db/totp';
import { Problem } from '../../domain/problem';
import { newTotpSecret, otpauthUrl } from '../../domain/totp';
import { personOf } from '../shared/caller';
import { requireVerified } from '../shared/verified';
import { TOTP_PURPOSE } from '../shared/secondFactor';
import type { Handler } from '../types';

/** Several servers in one app are told apart by their names. */
export const createTotp: Handler<'createTotp'> = async ({ ctx }) => {
  const person = personOf(ctx);
  // Else it stayed with who made it, when the address's owner confirms it and sets a password of their own.
  requireVerified(ctx);
  const secret = newTotpSecret();
  const issuer = `Teehouse (${new URL(ctx.config.publicUrl).hostname})`;
  return ctx.write(async ({ trx, audit }) => {
    if (!(await putTotp(trx, person.id, ctx.seal.seal(TOTP_PURPOSE, secret))))
      throw new Problem('CONFLICT', {
        message: 'An authenticator app is set up already.',
        suggestions: ['Remove it first, then set up the new one.'],
      });
    await audit({
      action: 'totp.begin',
      target_kind: 'user',
      target_id: person.public_id,
      team_id: null,
    });
    return {
      status: 201,
      body: { secret, otpauth_url: otpauthUrl(secret, issuer, person.email) },
    } as const;
  });
};
