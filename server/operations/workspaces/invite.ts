import type { Tx } from '../../db/client';
import type { InvitationRow } from '../../db/schemaPeople';
import type { TeamRow } from '../../db/schema';
import { countAttempt } from '../../db/signIn';
import type { TeamRole } from '../../domain/caller';
import { MAILS_PER_HOUR } from '../../domain/invitation';
import { Problem } from '../../domain/problem';
import { memberChangeProblem } from '../../domain/roles';
import { personOf, teamOf } from '../shared/caller';
import type { Context } from '../types';

const HOUR = 3600;

/**
 * Counts a mail to be sent: whoever invites makes this server write to strangers. Side by side counts too, as it is
 * counted before anything is looked at. @throws RATE_LIMITED
 */
export async function countMail(ctx: Context, email: string): Promise<void> {
  const limits: Record<string, number> = {
    [`invite:team:${teamOf(ctx).id}`]: MAILS_PER_HOUR.team,
    [`invite:user:${personOf(ctx).id}`]: MAILS_PER_HOUR.person,
    [`invite:to:${email.toLowerCase()}`]: MAILS_PER_HOUR.address,
  };
  const keys = Object.keys(limits).sort();
  const counted = await countAttempt(ctx.db, keys, HOUR);
  const over = counted.filter(({ attempts }, i) => attempts > (limits[keys[i] ?? ''] ?? 0));
  if (over.length > 0)
    throw new Problem('RATE_LIMITED', {
      message: 'Too many invitations were mailed within an hour.',
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
  const { username, email } = personOf(ctx);
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
