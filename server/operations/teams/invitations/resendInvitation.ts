import { findInvitation, renewInvitation } from '../../../db/teams/invitations';
import { hashToken, newToken } from '../../../domain/teams/token';
import { invitationOut } from '../../../domain/teams/memberResponse';
import { holdTeam, userOf, teamOf } from '../../core/caller';
import { requireVerified } from '../../core/requireVerified';
import type { Handler } from '../../types';
import { countMail, mailInvitation, needRightToGrant } from './invite';
import { answeredAlready, noSuchInvitation } from './revokeInvitation';

export const resendInvitation: Handler<'resendInvitation'> = async ({ path, ctx }) => {
  const me = userOf(ctx);
  requireVerified(ctx);
  const seen = await findInvitation(ctx.db, teamOf(ctx).id, path.invitation_id);
  if (!seen) throw noSuchInvitation();
  if (seen.state !== 'pending') throw answeredAlready(seen.state);
  await countMail(ctx, seen.email);
  return ctx.write(async ({ trx, audit }) => {
    const { team, role: actor } = await holdTeam(trx, ctx, 'team.members');
    needRightToGrant(actor, seen.role);
    const token = newToken('inv');
    const invitation = await renewInvitation(trx, seen.id, {
      token_hash: hashToken(token),
      invited_by: me.id,
    });
    if (!invitation) throw answeredAlready(null);
    await mailInvitation(ctx, trx, { team, invitation, token });
    await audit({
      action: 'invitation.resend',
      target_kind: 'invitation',
      target_id: invitation.public_id,
      before: { expires_at: seen.expires_at.toISOString() },
      after: {
        email: invitation.email,
        role: invitation.role,
        expires_at: invitation.expires_at.toISOString(),
      },
    });
    return { status: 200, body: invitationOut({ ...invitation, inviter_name: me.username }) } as const;
  });
};
