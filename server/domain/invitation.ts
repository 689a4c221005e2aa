export const INVITATION_DAYS = 7;
/** That still work, per team. */
export const MOST_PENDING = 50;
/** Mails an hour: of a team, of a person over all their teams, and to one address from whomever. */
export const MAILS_PER_HOUR = { team: 60, person: 60, address: 10 } as const;

export interface InvitationFields {
  state: 'pending' | 'accepted' | 'declined' | 'revoked';
  expires_at: Date;
}

/** As people see it: one that nobody answered in time has expired. */
export const stateOf = ({ state, expires_at }: InvitationFields, now: Date) =>
  state === 'pending' && expires_at <= now ? ('expired' as const) : state;

const REASONS = {
  accepted: 'This invitation was accepted already.',
  declined: 'This invitation was declined.',
  revoked: 'This invitation was withdrawn.',
  expired: `This invitation has expired: it worked for ${INVITATION_DAYS} days.`,
} as const;

/** Why it cannot be answered; null when it can. `null` for a token that opens none. */
export function invitationProblem(invitation: InvitationFields | null, now: Date): string | null {
  if (!invitation) return 'This is no invitation, or a newer one was mailed in its place.';
  const state = stateOf(invitation, now);
  return state === 'pending' ? null : REASONS[state];
}
