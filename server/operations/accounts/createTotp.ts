import { putTotp } from '../../db/accounts/totp';
import { Problem } from '../../domain/core/problem';
import { newTotpSecret, otpauthUrl } from '../../domain/accounts/totp';
import { userOf } from '../core/caller';
import { requireVerified } from '../core/requireVerified';
import { TOTP_PURPOSE } from '../core/secondFactor';
import type { Handler } from '../types';

/** The issuer includes the host name, so that authenticator apps can tell servers apart. */
export const createTotp: Handler<'createTotp'> = async ({ ctx }) => {
  const user = userOf(ctx);
  // Otherwise the registrant would keep the app after the address's owner confirms it and sets a password.
  requireVerified(ctx);
  const secret = newTotpSecret();
  // A colon is a delimiter in `otpauth:` URIs.
  const issuer = `${ctx.site.brand.replaceAll(':', ' ')} (${new URL(ctx.config.publicUrl).hostname})`;
  return ctx.write(async ({ trx, audit }) => {
    if (!(await putTotp(trx, user.id, ctx.seal.seal(TOTP_PURPOSE, secret))))
      throw new Problem('CONFLICT', {
        message: 'An authenticator app is already set up.',
        suggestions: ['Remove it first, then set up the new one.'],
      });
    await audit({
      action: 'totp.begin',
      target_kind: 'user',
      target_id: user.public_id,
      team_id: null,
    });
    return {
      status: 201,
      body: { secret, otpauth_url: otpauthUrl(secret, issuer, user.email) },
    } as const;
  });
};
