import type { Generated, Selectable } from 'kysely';

/**
 * One row per chat service: the bot used for alerts. Written when an administrator sets its token (migration
 * 0023_chat).
 */
export interface ChatBotsTable {
  service: string;
  sealed_token: string;
  bot_id: string;
  username: string;
  name: string;
  /** First update not yet handled. */
  next_update: Generated<number>;
  /** Last poll for updates. */
  last_asked_at: Date | null;
  last_error: string | null;
  /** Until when the service requested a pause. */
  paused_until: Date | null;
  /** Worker that polls for updates: the service delivers each to one reader only. */
  lease_owner: string | null;
  lease_until: Date | null;
  updated_at: Generated<Date>;
}

export type ChatBotRow = Selectable<ChatBotsTable>;
