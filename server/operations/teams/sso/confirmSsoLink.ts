import { deleteLinkRequest, type LinkRequest } from '../../../db/teams/ssoLinks';
import { isDeprovisioned } from '../../../db/teams/scimUsers';
import { findUserBySubject, holdAccount, isLinkedMember } from '../../../db/teams/ssoMembers';
import { Problem } from '../../../domain/core/problem';
import { emailDomain, ssoLinkCookie } from '../../../domain/teams/sso';
import { userOf } from '../../core/caller';
import { holdConnection } from './admit';
import { NotAdmitted } from './notAdmitted';
import { join, link } from './join';
import { linkRequestOf } from './linkRequest';
import type { Context, Handler } from '../../types';

/** The session belongs to the account itself: `checkSsoReach` rejects provider sessions outside their team. */
export const confirmSsoLink: Handler<'confirmSsoLink'> = async ({ ctx }) => {
  const me = userOf(ctx);
  const request = await linkRequestOf(ctx);
  if (request.user_id !== me.id)
    throw new Problem('FORBIDDEN', {
      message: `You are signed in as ${me.email}, but the provider returned ${request.email}.`,
      suggestions: [`Sign out, then sign in as ${request.email} to link it.`],
    });
  const slug = await linkTo(ctx, request, me.id);
  return {
    status: 200,
    body: { team_slug: slug },
    headers: { 'Set-Cookie': ssoLinkCookie(ctx.config.publicUrl, null) },
  };
};

const linkTo = (ctx: Context, request: LinkRequest, user_id: number): Promise<string> =>
  ctx
    .write(async (write) => {
      const { trx } = write;
      const user = await holdAccount(trx, user_id);
      if (user?.state !== 'active') throw new Problem('UNAUTHENTICATED');
      const connection = await holdConnection(trx, { ...request, id: request.connection_id });
      if (!(await deleteLinkRequest(trx, request.token_hash))) throw new Problem('SIGN_IN_EXPIRED');
      // Since the provider's response, the address may have changed or either side may have been linked elsewhere.
      if (
        emailDomain(user.email) !== connection.domain ||
        (await findUserBySubject(trx, connection.id, request.subject)) ||
        (await isLinkedMember(trx, connection, user.id))
      )
        throw new NotAdmitted('other_person');
      if (await isDeprovisioned(trx, connection.id, { emails: [user.email], user_id: user.id }))
        throw new NotAdmitted('deactivated');
      await link(ctx, write, connection, user, request.subject);
      await join(trx, write.audit, connection, user, request.role);
      return connection.slug;
    })
    .catch((error: unknown) => {
      if (!(error instanceof NotAdmitted)) throw error;
      throw new Problem('SSO_FAILED', {
        message: 'The account or the connection changed since you came back from the provider.',
        suggestions: ['Start single sign-on again.'],
      });
    });
