import type { ColumnType, Generated } from 'kysely';
import type { Json } from '../core/json';

/** The last decision about each boot requested by a key service (migration 0226_kms_webhooks). */
export interface KmsBootDecisionsTable {
  kms_id: number;
  /** Hash of everything the decision depends on; for rows that stand for others, see bootDecisions. */
  fingerprint: Buffer;
  allowed: boolean;
  reason: string;
  /** Its audit entry, without the decision. */
  entry: ColumnType<BootEntry, string, string>;
  /** Identical decisions since its last audit entry. */
  repeats: Generated<number>;
  audited_at: Generated<Date>;
  decided_at: Generated<Date>;
  /**
   * For a row that stands for decisions beyond the limit: audit entries since (migration
   * 0243_kms_boot_entries).
   */
  entries: Generated<number>;
  entries_since: Generated<Date>;
}

export interface BootEntry {
  team_id: number | null;
  target_kind: 'app' | 'kms';
  target_id: string;
  facts: { [key: string]: Json };
}
