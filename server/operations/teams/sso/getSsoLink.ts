import { linkRequestOf } from './linkRequest';
import type { Handler } from '../../types';

export const getSsoLink: Handler<'getSsoLink'> = async ({ ctx }) => {
  const { team_name, domain, email, expires_at } = await linkRequestOf(ctx);
  const { user, session, via_sso } = ctx.caller;
  return {
    status: 200,
    body: {
      team_name,
      domain,
      email,
      signed_in_as: user?.email ?? null,
      own_sign_in: session !== null && !via_sso,
      expires_at: expires_at.toISOString(),
    },
  };
};
