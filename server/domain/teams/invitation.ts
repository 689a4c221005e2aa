export const INVITATION_DAYS = 7;
/** Pending invitations per team. */
export const MAX_PENDING = 50;
/** Mail per hour: per team, per user over all their teams, and per recipient from all senders. */
export const MAILS_PER_HOUR = { team: 60, person: 60, address: 10 } as const;

export interface InvitationFields {
  state: 'pending' | 'accepted' | 'declined' | 'revoked';
  expires_at: Date;
}

/** The displayed state: one not answered in time has expired. */
export const stateOf = ({ state, expires_at }: InvitationFields, now: Date) =>
  state === 'pending' && expires_at <= now ? ('expired' as const) : state;

const REASONS = {
  accepted: 'This invitation was already accepted.',
  declined: 'This invitation was declined.',
  revoked: 'This invitation was revoked.',
  expired: `This invitation has expired. Invitations are valid for ${INVITATION_DAYS} days.`,
} as const;

/** Why it can't be answered; null when it can. `null` for an unknown token. */
export function invitationProblem(invitation: InvitationFields | null, now: Date): string | null {
  if (!invitation) return "This link isn't valid, or it was replaced by a newer invitation.";
  const state = stateOf(invitation, now);
  return state === 'pending' ? null : REASONS[state];
}
