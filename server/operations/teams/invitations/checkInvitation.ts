import { openInvitation } from '../../../db/teams/invitations';
import { findUserByEmail } from '../../../db/accounts/users';
import { invitationView } from '../../../domain/teams/memberResponse';
import { countingLinks } from '../../core/guessing';
import { invitationHash } from '../../core/invitation';
import type { Handler } from '../../types';

export const checkInvitation: Handler<'checkInvitation'> = countingLinks(async ({ body, ctx }) => {
  const open = await openInvitation(ctx.db, invitationHash(body.token));
  const account = (await findUserByEmail(ctx.db, open.invitation.email)) !== undefined;
  const signed_in_as = ctx.caller.session ? (ctx.caller.user?.email ?? null) : null;
  return { status: 200, body: invitationView(open, { account, signed_in_as }) };
});
