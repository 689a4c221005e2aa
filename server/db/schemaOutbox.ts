import type { Generated, GeneratedAlways } from 'kysely';

export type MailState = 'queued' | 'sending' | 'sent' | 'failed' | 'kept';

export interface OutboxTable {
  id: GeneratedAlways<number>;
  message_id: string;
  to: string;
  template: string;
  subject: string;
  /** Text and HTML as JSON, sealed for purpose `mail`; null once it is of no more use. */
  sealed_content: string | null;
  state: MailState;
  attempts: Generated<number>;
  next_attempt_at: Date | null;
  last_error: string | null;
  lease_owner: string | null;
  lease_until: Date | null;
  user_id: number | null;
  team_id: number | null;
  created_at: Generated<Date>;
  sent_at: Date | null;
}

export interface OutboxTables {
  outbox: OutboxTable;
}
