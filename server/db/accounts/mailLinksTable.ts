import type { Generated, GeneratedAlways } from 'kysely';

/** One row per single-use link mailed to a user. Written when the mail is queued (migration 0003_people). */
export interface MailLinksTable {
  id: GeneratedAlways<number>;
  token_hash: Buffer;
  purpose: 'verify_email' | 'reset_password' | 'email_change_old' | 'email_change_new';
  user_id: number;
  /** Address the link was sent to. */
  email: string;
  created_at: Generated<Date>;
  expires_at: Date;
  /** Null until the link is used. */
  used_at: Date | null;
}
