import type { Tx } from '../../../db/core/client';
import type { InvitationRow } from '../../../db/teams/invitationsTable';
import type { TeamRow } from '../../../db/teams/teamsTable';
import { countAttempt } from '../../../db/accounts/signIn';
import type { TeamRole } from '../../../domain/core/caller';
import { MAILS_PER_HOUR } from '../../../domain/teams/invitation';
import { Problem } from '../../../domain/core/problem';
import { memberChangeProblem } from '../../../domain/teams/roles';
import { userOf, teamOf } from '../../core/caller';
import type { Context } from '../../types';
import { ownValue } from '../../../../console/lib/ownValue';

const HOUR = 3600;

/**
 * Counts an email before it is sent, since inviters make this server write to strangers. Counted before any
 * check, so that concurrent requests count too. @throws RATE_LIMITED
 */
export async function countMail(ctx: Context, email: string): Promise<void> {
  const limits: Record<string, number> = {
    [`invite:team:${teamOf(ctx).id}`]: MAILS_PER_HOUR.team,
    [`invite:user:${userOf(ctx).id}`]: MAILS_PER_HOUR.person,
    [`invite:to:${email.toLowerCase()}`]: MAILS_PER_HOUR.address,
  };
  const keys = Object.keys(limits).sort();
  const counted = await countAttempt(ctx.db, keys, HOUR);
  const over = counted.filter(({ attempts }, i) => attempts > (ownValue(limits, keys[i] ?? '') ?? 0));
  if (over.length > 0)
    throw new Problem('RATE_LIMITED', {
      message: 'Too many invitations sent within an hour.',
      retryAfter: Math.ceil(Math.max(...over.map(({ endsInMs }) => endsInMs)) / 1000),
    });
}

/** @throws FORBIDDEN */
export function needRightToGrant(actor: TeamRole, role: TeamRole): void {
  const problem = memberChangeProblem(actor, { from: null, to: role });
  if (problem !== null) throw new Problem('FORBIDDEN', { message: problem });
}

export async function mailInvitation(
  ctx: Context,
  trx: Tx,
  { team, invitation, token }: { team: TeamRow; invitation: InvitationRow; token: string },
): Promise<void> {
  const { username, email } = userOf(ctx);
  await ctx.mail.enqueue(trx, {
    to: invitation.email,
    template: 'invitation',
    data: {
      token,
      team_name: team.name,
      role: invitation.role,
      inviter_name: username,
      inviter_email: email,
      expires_at: invitation.expires_at,
    },
    team_id: team.id,
  });
}
