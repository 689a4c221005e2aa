import type { Generated } from 'kysely';

/** The columns' meaning stands in migration 0008_guessing. */
export interface GuessingTables {
  guesses: { key: string; attempts: number; total: number; window_ends_at: Date };
  sign_in_devices: {
    user_id: number;
    device: string;
    country: string;
    created_at: Generated<Date>;
    last_seen_at: Generated<Date>;
  };
}
