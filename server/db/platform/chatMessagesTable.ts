import type { Generated, GeneratedAlways, Selectable } from 'kysely';

/**
 * One row per message to a chat. Written for alerts and replies, sent by the worker that holds the lease
 * (migration 0023_chat).
 */
export interface ChatMessagesTable {
  id: GeneratedAlways<number>;
  chat_id: number;
  /** Null for a reply or a test. */
  alert_id: number | null;
  /** `alert` is updated in place; `over` is a second message, so that it notifies. */
  part: Generated<'answer' | 'alert' | 'over'>;
  /** Replies only; the text of an alert is composed when it is sent. */
  text: string | null;
  state: Generated<'waiting' | 'sending' | 'sent' | 'failed'>;
  /** The service's ID of the sent message. */
  message_ref: string | null;
  /** Alert's revision shown in the message. */
  sent_revision: number | null;
  attempts: Generated<number>;
  next_attempt_at: Date | null;
  last_error: string | null;
  lease_owner: string | null;
  lease_until: Date | null;
  created_at: Generated<Date>;
  sent_at: Date | null;
}

export type ChatMessageRow = Selectable<ChatMessagesTable>;
