import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { ContractFacts } from '../domain/kmsContract';

/** The columns' meaning stands in migration 0020_gpus. */

export interface GpusTable {
  id: GeneratedAlways<number>;
  teepod_id: number;
  slot: string;
  product_id: string | null;
  description: Generated<string>;
  notes: Generated<string>;
  reserved_team_id: number | null;
  reservation_id: number | null;
  fault: string | null;
  reported: Generated<boolean>;
  used_elsewhere: Generated<boolean>;
  last_seen_at: Date | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface GpuEventsTable {
  id: GeneratedAlways<number>;
  gpu_id: number;
  kind:
    | 'added'
    | 'found'
    | 'lost'
    | 'reserved'
    | 'released'
    | 'held'
    | 'attached'
    | 'freed'
    | 'faulty'
    | 'repaired';
  team_id: number | null;
  cvm_id: number | null;
  note: string | null;
  user_id: number | null;
  at: Generated<Date>;
}

/** Columns of `provisions` and `cvms`. */
export interface GpuCountColumn {
  gpus: Generated<number>;
}

/** Columns of `kms`. */
export interface KmsHealthColumns {
  health: Generated<'unchecked' | 'ok' | 'unpinned' | 'unreachable' | 'alarm'>;
  seen_k256_pubkey: string | null;
  seen_ca_pubkey: string | null;
  notices: Generated<string[]>;
  last_error: string | null;
  checked_at: Date | null;
  answered_at: Date | null;
}

export interface KmsContractsTable {
  id: GeneratedAlways<number>;
  kms_id: number | null;
  chain_id: number;
  address: string;
  label: string;
  state: Generated<'active' | 'retiring' | 'retired'>;
  health: Generated<'unread' | 'ok' | 'alarm' | 'unreachable'>;
  notices: Generated<string[]>;
  last_error: string | null;
  attempted_at: Date | null;
  read_at: Date | null;
  block_number: number | null;
  block_at: Date | null;
  facts: ColumnType<ContractFacts | null, string | null | undefined, string | null>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface GpuTables {
  gpus: GpusTable;
  gpu_events: GpuEventsTable;
  kms_contracts: KmsContractsTable;
}

export type GpuRow = Selectable<GpusTable>;
export type KmsContractRow = Selectable<KmsContractsTable>;
