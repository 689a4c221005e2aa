import { openInvitation } from '../../db/invitations';
import { findUserByEmail } from '../../db/users';
import { invitationView } from '../../domain/wire/members';
import { invitationHash } from '../shared/invitation';
import type { Handler } from '../types';

export const checkInvitation: Handler<'checkInvitation'> = async ({ body, ctx }) => {
  const open = await openInvitation(ctx.db, invitationHash(body.token));
  const account = (await findUserByEmail(ctx.db, open.invitation.email)) !== undefined;
  const signed_in_as = ctx.caller.session ? (ctx.caller.user?.email ?? null) : null;
  return { status: 200, body: invitationView(open, { account, signed_in_as }) };
};
