import { takeInvitation, type TakenInvitation } from '../../db/invitations';
import { hashToken, isWellFormedToken } from '../../domain/token';
import { Problem } from '../../domain/problem';
import type { Context, Write } from '../types';

/** @throws LINK_INVALID for what is mistyped, without asking the database */
export function invitationHash(token: string): Buffer {
  if (!isWellFormedToken(token) || !token.startsWith('thk_inv_'))
    throw new Problem('LINK_INVALID', { message: 'This is not the whole address of an invitation.' });
  return hashToken(token);
}

/**
 * Lets a person into a team by their invitation, with the audit row and the mail to whoever invited them; also for an
 * account made in the same transaction. @throws LINK_INVALID, WRONG_ACCOUNT
 */
export async function joinByInvitation(
  ctx: Pick<Context, 'mail'>,
  { trx, audit }: Write,
  token: string,
  user: { id: number; public_id: string; email: string; username: string },
): Promise<TakenInvitation> {
  const taken = await takeInvitation(trx, invitationHash(token), user);
  const { invitation, team, inviter, joined } = taken;
  if (joined)
    await ctx.mail.enqueue(trx, {
      to: inviter.email,
      template: 'invitation_accepted',
      data: {
        team_name: team.name,
        team_slug: team.slug,
        role: invitation.role,
        invitee_name: user.username,
        invitee_email: user.email,
      },
      user_id: inviter.id,
      team_id: team.id,
    });
  await audit({
    action: 'invitation.accept',
    target_kind: 'invitation',
    target_id: invitation.public_id,
    team_id: team.id,
    actor_user_id: user.id,
    after: { user: user.public_id, role: invitation.role, joined, email_verified: taken.verified },
  });
  return taken;
}
