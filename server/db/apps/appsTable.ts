import type { Generated, GeneratedAlways, Selectable } from 'kysely';

/** One row per app. Written when its first CVM is created (migration 0001_foundation). */
export interface AppsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  /** 40 hex digits. */
  app_id: string;
  team_id: number;
  kms_id: number | null;
  name: string;
  /** Nonce the app ID was derived from; null if it was not derived. */
  nonce: number | null;
  /** Deployer of its contract, 0x and lowercase; null without one. */
  deployer_address: string | null;
  created_by: number | null;
  created_at: Generated<Date>;
  /** When its last CVM was deleted; null while it is in use. */
  archived_at: Date | null;
  /** When an administrator removed it from the explorer; null otherwise (migration 0130_abuse_reports). */
  listing_refused_at: Date | null;
  listing_refused_reason: string | null;
}

export type AppRow = Selectable<AppsTable>;
