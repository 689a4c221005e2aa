import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { TeamRole } from '../domain/caller';

/** Tables of accounts, second factors and team membership; the columns' meaning stands in migration 0003_people. */
export type AuthMethod = 'password' | 'passkey' | 'sso' | 'registration' | 'invitation';

export interface SessionsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  token_hash: Buffer;
  user_id: number;
  ip: string | null;
  user_agent: string | null;
  auth_method: Generated<AuthMethod>;
  sso_connection_id: number | null;
  second_factor_at: Date | null;
  confirmed_at: Generated<Date>;
  created_at: Generated<Date>;
  last_seen_at: Generated<Date>;
  expires_at: Date;
}

export interface PendingSignInsTable {
  id: GeneratedAlways<number>;
  token_hash: Buffer;
  user_id: number;
  auth_method: 'password' | 'sso';
  sso_connection_id: number | null;
  attempts: Generated<number>;
  created_at: Generated<Date>;
  expires_at: Date;
}

export interface TotpCredentialsTable {
  user_id: number;
  sealed_secret: string;
  confirmed_at: Date | null;
  last_step: number | null;
  last_used_at: Date | null;
  created_at: Generated<Date>;
}

export interface PasskeysTable {
  id: GeneratedAlways<number>;
  public_id: string;
  user_id: number;
  credential_id: Buffer;
  public_key: Buffer;
  counter: number;
  transports: Generated<string[]>;
  name: string;
  synced: boolean;
  created_at: Generated<Date>;
  last_used_at: Date | null;
}

export interface PasskeyChallengesTable {
  challenge_hash: Buffer;
  purpose: 'register' | 'sign_in' | 'second_factor' | 'step_up';
  user_id: number | null;
  expires_at: Date;
}

export interface RecoveryCodesTable {
  id: GeneratedAlways<number>;
  user_id: number;
  code_hash: Buffer;
  created_at: Generated<Date>;
  used_at: Date | null;
}

export interface MailLinksTable {
  id: GeneratedAlways<number>;
  token_hash: Buffer;
  purpose: 'verify_email' | 'reset_password' | 'email_change_old' | 'email_change_new';
  user_id: number;
  email: string;
  created_at: Generated<Date>;
  expires_at: Date;
  used_at: Date | null;
}

export interface EmailChangesTable {
  user_id: number;
  email: string;
  old_confirmed_at: Date | null;
  new_confirmed_at: Date | null;
  created_at: Generated<Date>;
  expires_at: Date;
}

export interface InvitationsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  team_id: number;
  email: string;
  role: TeamRole;
  token_hash: Buffer;
  state: Generated<'pending' | 'accepted' | 'declined' | 'revoked'>;
  invited_by: number | null;
  accepted_by: number | null;
  created_at: Generated<Date>;
  sent_at: Generated<Date>;
  expires_at: Date;
}

export interface TeamFormerSlugsTable {
  slug: string;
  team_id: number;
  created_at: Generated<Date>;
}

export interface PeopleTables {
  sessions: SessionsTable;
  pending_sign_ins: PendingSignInsTable;
  totp_credentials: TotpCredentialsTable;
  passkeys: PasskeysTable;
  passkey_challenges: PasskeyChallengesTable;
  recovery_codes: RecoveryCodesTable;
  mail_links: MailLinksTable;
  email_changes: EmailChangesTable;
  invitations: InvitationsTable;
  team_former_slugs: TeamFormerSlugsTable;
}

export type SessionRow = Selectable<SessionsTable>;
export type PendingSignInRow = Selectable<PendingSignInsTable>;
export type PasskeyRow = Selectable<PasskeysTable>;
export type InvitationRow = Selectable<InvitationsTable>;
