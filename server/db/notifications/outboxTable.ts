import type { Generated, GeneratedAlways } from 'kysely';

type MailState = 'queued' | 'sending' | 'sent' | 'failed' | 'kept';

/**
 * One row per mail. Written with the change it reports, sent by the worker that holds the lease (migration
 * 0004_outbox).
 */
export interface OutboxTable {
  id: GeneratedAlways<number>;
  /** Same in every attempt, so a duplicate is recognized. */
  message_id: string;
  to: string;
  template: string;
  subject: string;
  /** Text and HTML as JSON, sealed for purpose `mail`; null once no longer needed. */
  sealed_content: string | null;
  /** `kept`: readable here because no mail server is configured. */
  state: MailState;
  attempts: Generated<number>;
  /** Set while queued. */
  next_attempt_at: Date | null;
  last_error: string | null;
  lease_owner: string | null;
  lease_until: Date | null;
  user_id: number | null;
  team_id: number | null;
  created_at: Generated<Date>;
  sent_at: Date | null;
}
