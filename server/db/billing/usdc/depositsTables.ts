import type { Generated, GeneratedAlways, Selectable } from 'kysely';

/** One row per team that requested an address (migration 0253_usdc_deposits). */
export interface UsdcAddressesTable {
  team_id: number;
  /** In lower case, with 0x. */
  address: string;
  created_at: Generated<Date>;
}

/** One row per token watched for deposits. */
export interface UsdcNetworksTable {
  chain_id: number;
  token: string;
  next_block: number;
  /** When the newest block was last reached. */
  read_at: Generated<Date>;
  /** When that was last attempted. */
  tried_at: Generated<Date>;
  /** Error of the last attempt; null if it succeeded. */
  error: string | null;
}

export type UsdcNetworkRow = Selectable<UsdcNetworksTable>;

/** One row per transfer to a team's address. Hashes are in lower case, with 0x. */
export interface UsdcDepositsTable {
  id: GeneratedAlways<number>;
  chain_id: number;
  token: string;
  tx_hash: string;
  log_index: number;
  block_number: number;
  block_hash: string;
  team_id: number;
  amount_micros: number;
  /**
   * `pending`: not enough blocks yet. `small`: below the minimum. `dropped`: the chain undid it before it
   * counted; `reversed`: after that.
   */
  state: Generated<'pending' | 'small' | 'credited' | 'dropped' | 'reversed'>;
  /** Consecutive reads that didn't find it. */
  missing_reads: Generated<number>;
  /** When it was last looked up individually; null if never. */
  looked_at: Generated<Date | null>;
  /** When the required number of RPCs first knew it; null if only one does. */
  agreed_at: Generated<Date | null>;
  payment_id: number | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type UsdcDepositRow = Selectable<UsdcDepositsTable>;

/** One row per block whose transfers to a team an RPC didn't return (migration 0265_usdc_lookups). */
export interface UsdcGapsTable {
  chain_id: number;
  token: string;
  block_number: number;
  team_id: number;
  looked_at: Generated<Date>;
  found_at: Generated<Date>;
}

/** One row per range of blocks that too few RPCs returned (migration 0275_usdc_unread). */
export interface UsdcUnreadTable {
  id: GeneratedAlways<number>;
  chain_id: number;
  token: string;
  from_block: number;
  to_block: number;
  /** RPCs that returned it. */
  readers: 0 | 1;
  /** Error of the last attempt, if any. */
  error: string | null;
  since: Generated<Date>;
  tried_at: Generated<Date | null>;
}

export type UsdcUnreadRow = Selectable<UsdcUnreadTable>;
