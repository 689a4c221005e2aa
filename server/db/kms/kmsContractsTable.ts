import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { ContractFacts } from '../../domain/kms/kmsContract';

/**
 * One row per KMS contract on a chain. Written by administrators; the state read from the chain by a worker
 * (migration 0020_gpus).
 */
export interface KmsContractsTable {
  id: GeneratedAlways<number>;
  kms_id: number | null;
  chain_id: number;
  /** 0x and 40 lowercase hex digits. */
  address: string;
  label: string;
  state: Generated<'active' | 'retiring' | 'retired'>;
  health: Generated<'unread' | 'ok' | 'alarm' | 'unreachable'>;
  notices: Generated<string[]>;
  last_error: string | null;
  /** Last attempt to read it. */
  attempted_at: Date | null;
  /** Last successful read; `facts` and the block columns are from it. */
  read_at: Date | null;
  /** Block the facts were read at. */
  block_number: number | null;
  block_at: Date | null;
  facts: ColumnType<ContractFacts | null, string | null | undefined, string | null>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type KmsContractRow = Selectable<KmsContractsTable>;
