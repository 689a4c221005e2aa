import type { Generated, GeneratedAlways, Selectable } from 'kysely';

/**
 * One row per distinct piece of evidence of a CVM, with the collateral of its time. Written when evidence is
 * collected; the last few per CVM are kept (migration 0016_evidence).
 */
export interface EvidenceTable {
  id: GeneratedAlways<number>;
  team_id: number;
  cvm_id: number;
  /** SHA-256 of `content`. */
  content_hash: Buffer;
  content: string;
  collected_at: Generated<Date>;
  /** When identical evidence was last collected. */
  seen_at: Generated<Date>;
}

export type EvidenceRow = Selectable<EvidenceTable>;
