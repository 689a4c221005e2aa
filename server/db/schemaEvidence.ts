import type { Generated, GeneratedAlways, Selectable } from 'kysely';

/** The columns' meaning stands in migration 0016_evidence. */

/** Columns of `kms`. */
export interface KmsCaColumns {
  ca_pubkey: string | null;
}

export interface CollateralTable {
  fmspc: string;
  ca: 'platform' | 'processor';
  source: string;
  content: string;
  fetched_at: Generated<Date>;
  next_update: Date;
}

export interface EvidenceTable {
  id: GeneratedAlways<number>;
  team_id: number;
  cvm_id: number;
  content_hash: Buffer;
  content: string;
  collected_at: Generated<Date>;
  seen_at: Generated<Date>;
}

export interface EvidenceTables {
  collateral: CollateralTable;
  evidence: EvidenceTable;
}

export type CollateralRow = Selectable<CollateralTable>;
export type EvidenceRow = Selectable<EvidenceTable>;
