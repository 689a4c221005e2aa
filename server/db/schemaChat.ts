import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { AdminAlertKind } from '../../generated/api/types.gen';

/** Tables of alerts and of the chat bot; the columns' meaning stands in migration 0023_chat. */

export interface AlertsTable {
  id: GeneratedAlways<number>;
  kind: AdminAlertKind;
  subject: string;
  severity: 'warning' | 'critical';
  title: string;
  message: string;
  count: Generated<number>;
  opened_at: Generated<Date>;
  updated_at: Generated<Date>;
  acknowledged_at: Date | null;
  acknowledged_by: string | null;
  resolved_at: Date | null;
  revision: Generated<number>;
}

export interface ChatBotsTable {
  service: string;
  sealed_token: string;
  bot_id: string;
  username: string;
  name: string;
  next_update: Generated<number>;
  last_asked_at: Date | null;
  last_error: string | null;
  paused_until: Date | null;
  lease_owner: string | null;
  lease_until: Date | null;
  updated_at: Generated<Date>;
}

export interface ChatCodesTable {
  code_hash: Buffer;
  service: string;
  created_by: number | null;
  expires_at: Date;
}

export interface ChatsTable {
  id: GeneratedAlways<number>;
  service: string;
  chat_ref: string;
  title: string;
  kind: 'person' | 'group' | 'channel';
  state: Generated<'linked' | 'refused'>;
  alerts: AdminAlertKind[];
  min_severity: Generated<'warning' | 'critical'>;
  time_zone: string | null;
  quiet_from: string | null;
  quiet_to: string | null;
  linked_by: number | null;
  linked_at: Generated<Date>;
  next_send_at: Generated<Date>;
  last_sent_at: Date | null;
  last_error: string | null;
}

export interface ChatMessagesTable {
  id: GeneratedAlways<number>;
  chat_id: number;
  alert_id: number | null;
  part: Generated<'answer' | 'alert' | 'over'>;
  text: string | null;
  state: Generated<'waiting' | 'sending' | 'sent' | 'failed'>;
  message_ref: string | null;
  sent_revision: number | null;
  attempts: Generated<number>;
  next_attempt_at: Date | null;
  last_error: string | null;
  lease_owner: string | null;
  lease_until: Date | null;
  created_at: Generated<Date>;
  sent_at: Date | null;
}

export interface ChatTables {
  alerts: AlertsTable;
  chat_bots: ChatBotsTable;
  chat_codes: ChatCodesTable;
  chats: ChatsTable;
  chat_messages: ChatMessagesTable;
}

export type AlertRow = Selectable<AlertsTable>;
export type ChatBotRow = Selectable<ChatBotsTable>;
export type ChatRow = Selectable<ChatsTable>;
export type ChatMessageRow = Selectable<ChatMessagesTable>;
