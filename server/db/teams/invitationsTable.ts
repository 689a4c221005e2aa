import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { TeamRole } from '../../domain/core/caller';

/**
 * One row per invitation to a team. Written by a member who invites, updated by the invitee (migration
 * 0003_people).
 */
export interface InvitationsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  team_id: number;
  email: string;
  role: TeamRole;
  token_hash: Buffer;
  /** Expired invitations stay `pending` with `expires_at` in the past. */
  state: Generated<'pending' | 'accepted' | 'declined' | 'revoked'>;
  invited_by: number | null;
  /** Account that accepted; null otherwise. */
  accepted_by: number | null;
  created_at: Generated<Date>;
  /** When the mail was last sent. */
  sent_at: Generated<Date>;
  expires_at: Date;
}

export type InvitationRow = Selectable<InvitationsTable>;
