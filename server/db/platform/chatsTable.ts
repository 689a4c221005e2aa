import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { AdminAlertKind } from '../../../generated/api/types.gen';

/**
 * One row per chat linked to receive alerts. Written when the chat sends its code to the bot (migration
 * 0023_chat).
 */
export interface ChatsTable {
  id: GeneratedAlways<number>;
  service: string;
  /** The service's ID of the chat. */
  chat_ref: string;
  title: string;
  kind: 'person' | 'group' | 'channel';
  state: Generated<'linked' | 'refused'>;
  alerts: AdminAlertKind[];
  min_severity: Generated<'warning' | 'critical'>;
  time_zone: string | null;
  /** HH:MM in `time_zone`; null for no quiet hours. */
  quiet_from: string | null;
  /** HH:MM in `time_zone`. */
  quiet_to: string | null;
  linked_by: number | null;
  linked_at: Generated<Date>;
  /** Not before, because services limit messages per chat. */
  next_send_at: Generated<Date>;
  last_sent_at: Date | null;
  last_error: string | null;
}

export type ChatRow = Selectable<ChatsTable>;
