import type { Generated, Selectable } from 'kysely';

/**
 * One row per platform family and Intel CA: the latest collateral for verifying quotes. Written when it is
 * fetched (migration 0016_evidence).
 */
export interface CollateralTable {
  /** 12 hex digits. */
  fmspc: string;
  ca: 'platform' | 'processor';
  source: string;
  /** JSON as the verifier takes it; Intel's signed texts are kept byte for byte. */
  content: string;
  fetched_at: Generated<Date>;
  /** When its first part expires. */
  next_update: Date;
}

export type CollateralRow = Selectable<CollateralTable>;
