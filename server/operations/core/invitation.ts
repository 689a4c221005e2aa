import { takeInvitation, type TakenInvitation } from '../../db/teams/invitations';
import { hashToken, isWellFormedToken } from '../../domain/teams/token';
import { Problem } from '../../domain/core/problem';
import type { Context, Write } from '../types';
import { ownersRefusal } from './owners';

/** @throws LINK_INVALID if malformed, without querying the database */
export function invitationHash(token: string): Buffer {
  if (!isWellFormedToken(token) || !token.startsWith('thk_inv_'))
    throw new Problem('LINK_INVALID', { message: 'This invitation link is incomplete.' });
  return hashToken(token);
}

/**
 * Adds a user to a team through their invitation, with the audit entry and the mail to the inviter; also for
 * an account created in the same transaction. @throws LINK_INVALID, WRONG_ACCOUNT, IN_USE
 */
export async function joinByInvitation(
  ctx: Pick<Context, 'mail' | 'config'>,
  { trx, audit }: Write,
  token: string,
  user: { id: number; public_id: string; email: string; username: string },
): Promise<TakenInvitation> {
  const taken = await takeInvitation(trx, invitationHash(token), user);
  const { invitation, team, inviter, joined } = taken;
  // Owners are liable for the team's debt, and can't leave while it exists.
  if (joined && invitation.role === 'owner' && (await ownersRefusal(ctx, trx, team.id)))
    throw new Problem('IN_USE', {
      message: `Another owner can't be added to “${team.name}” at the moment.`,
      suggestions: [`Ask ${inviter.username} for an invitation with another role, or try again later.`],
    });
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
    after: {
      email: invitation.email,
      user: user.public_id,
      role: invitation.role,
      joined,
      email_verified: taken.verified,
    },
  });
  return taken;
}
