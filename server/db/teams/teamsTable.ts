import type { Generated, GeneratedAlways, Selectable } from 'kysely';

/** One row per team. Written when a user creates one (migration 0001_foundation). */
export interface TeamsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  slug: string;
  name: string;
  tier: Generated<string>;
  /** App IDs of the central KMS are CREATE addresses of `wallet_address` and `next_nonce`. */
  wallet_address: string;
  next_nonce: Generated<number>;
  /** Quota, as in the next three columns. */
  max_cvms: Generated<number>;
  max_vcpu: Generated<number>;
  max_memory_mb: Generated<number>;
  max_disk_gb: Generated<number>;
  require_second_factor: Generated<boolean>;
  /** Whether its AI keys work (migration 0328_ai_switch). */
  confidential_models_enabled: Generated<boolean>;
  /** Credit limit: how far below zero its balance may go. */
  post_paid_cap_micros: Generated<number>;
  /** When it was last offered room on a host (migration 0324_offers_and_next_keys). */
  room_offered_at: Date | null;
  deleted_at: Date | null;
  /** Null for teams created before migration 0027_registration. */
  created_by: Generated<number | null>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type TeamRow = Selectable<TeamsTable>;
