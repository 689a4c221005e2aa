import { endInvitation, openInvitation } from '../../../db/teams/invitations';
import { lockTeam } from '../../../db/teams/members';
import { countingLinks } from '../../core/guessing';
import { invitationHash } from '../../core/invitation';
import type { Handler } from '../../types';

/** The link proves access to the mailbox: declining needs no account. */
export const declineInvitation: Handler<'declineInvitation'> = countingLinks(async ({ body, ctx }) => {
  const token_hash = invitationHash(body.token);
  return ctx.write(async ({ trx, audit }) => {
    const seen = await openInvitation(trx, token_hash);
    await lockTeam(trx, seen.team.id);
    const { invitation, team, inviter } = await openInvitation(trx, token_hash);
    await endInvitation(trx, invitation.id, { state: 'declined' });
    await ctx.mail.enqueue(trx, {
      to: inviter.email,
      template: 'invitation_declined',
      data: { team_name: team.name, team_slug: team.slug, invitee_email: invitation.email },
      user_id: inviter.id,
      team_id: team.id,
    });
    await audit({
      action: 'invitation.decline',
      target_kind: 'invitation',
      target_id: invitation.public_id,
      team_id: team.id,
      after: { email: invitation.email },
    });
    return { status: 204 } as const;
  });
});
