import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { ContractEvent } from '../../domain/kms/contractEvents';

/** One row per contract whose events are read by a worker (migration 0087_contract_index). */
export interface ContractIndexesTable {
  id: GeneratedAlways<number>;
  chain_id: number;
  /** 0x and lowercase. */
  address: string;
  start_block: number | null;
  start_exact: Generated<boolean>;
  indexed_block: number | null;
  indexed_hash: string | null;
  latest_block: number | null;
  indexed_at: Date | null;
  attempted_at: Date | null;
  last_error: string | null;
  full_at_block: number | null;
}

/** One row per event. */
export interface ContractEventsTable extends ContractEvent {
  contract_id: number;
}

export type ContractIndexRow = Selectable<ContractIndexesTable>;
export type ContractEventRow = Selectable<ContractEventsTable>;
