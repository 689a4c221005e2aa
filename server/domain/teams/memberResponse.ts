import type { Invitation, InvitationView, Member } from '../../../generated/api/types.gen';
import type { TeamRole } from '../core/caller';
import { stateOf, type InvitationFields } from './invitation';
import { memberVersion } from './teamVersions';

/** A user in a team. */
export interface MemberFields {
  user_id: number;
  public_id: string;
  username: string;
  email: string;
  avatar: string;
  role: TeamRole;
  second_factor_at: Date | null;
  sso_connection_id: number | null;
  created_at: Date;
  last_seen_at: Date | null;
}

/** Returns the last visit. Visits are stored rounded down to the hour, which can be before the user joined. */
export const seenSince = (seen: Date | null, joined: Date): string | null =>
  seen === null ? null : (seen < joined ? joined : seen).toISOString();

/** Returns a team member. @param you the caller's internal ID */
export const memberOut = (member: MemberFields, you: number): Member => {
  const shown = {
    id: member.public_id,
    username: member.username,
    email: member.email,
    avatar: member.avatar,
    role: member.role,
    is_you: member.user_id === you,
    second_factor: member.second_factor_at !== null,
    via_sso: member.sso_connection_id !== null,
    joined_at: member.created_at.toISOString(),
    last_seen_at: seenSince(member.last_seen_at, member.created_at),
  };
  return { ...shown, etag: memberVersion.etag(member, shown) };
};

export interface SentInvitationFields extends InvitationFields {
  public_id: string;
  email: string;
  role: TeamRole;
  created_at: Date;
  sent_at: Date;
  inviter_name: string | null;
}

const GONE = 'Deleted user';

export const invitationOut = (row: SentInvitationFields, now = new Date()): Invitation => ({
  id: row.public_id,
  email: row.email,
  role: row.role,
  state: stateOf(row, now),
  invited_by: row.inviter_name ?? GONE,
  created_at: row.created_at.toISOString(),
  sent_at: row.sent_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
});

export const invitationView = (
  open: {
    invitation: { email: string; role: TeamRole; expires_at: Date };
    team: { name: string };
    inviter: { username: string };
  },
  asker: { account: boolean; signed_in_as: string | null },
): InvitationView => ({
  team_name: open.team.name,
  role: open.invitation.role,
  inviter: open.inviter.username,
  email: open.invitation.email,
  expires_at: open.invitation.expires_at.toISOString(),
  ...asker,
});
