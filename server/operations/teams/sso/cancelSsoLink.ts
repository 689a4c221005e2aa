import { deleteLinkRequest } from '../../../db/teams/ssoLinks';
import { ssoLinkCookie } from '../../../domain/teams/sso';
import { linkRequestOf, linkTokenHash } from './linkRequest';
import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';

export const cancelSsoLink: Handler<'cancelSsoLink'> = async ({ ctx }) => {
  const hash = linkTokenHash(ctx);
  const request = await linkRequestOf(ctx).catch((error: unknown) => {
    if (error instanceof Problem) return null;
    throw error;
  });
  if (hash && request)
    await ctx.write(async ({ trx, audit }) => {
      await deleteLinkRequest(trx, hash);
      await audit({
        action: 'sso.link_canceled',
        team_id: request.team_id,
      });
    });
  return { status: 204, headers: { 'Set-Cookie': ssoLinkCookie(ctx.config.publicUrl, null) } };
};
