import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { Filled } from '../audit/auditLogTable';
import type { Basis, UsageLine } from '../../domain/billing/metering';
import type { LedgerEntry, LedgerKind, GrantSource } from '../../domain/billing/ledger';

type Once<T> = ColumnType<T, T, never>;

/**
 * One row per posting, append-only and hash-chained per team. Written by `post`; triggers check that the entries sum to
 * zero, link the row to its chain and write the tables below (migration 0031_ledger).
 */
export interface LedgerTransactionsTable {
  id: GeneratedAlways<number>;
  public_id: Once<string>;
  team_id: Once<number>;
  /** Position in the team's chain, from 1. */
  seq: Filled<number>;
  kind: Once<LedgerKind>;
  /** The booked source; unique together with `kind`. */
  source_type: Once<string>;
  source_id: Once<string>;
  description: Once<string>;
  /** When it happened. */
  effective_at: Once<Date>;
  /** When it was written. */
  booked_at: Filled<Date>;
  entries: ColumnType<LedgerEntry[], string, never>;
  corrects: ColumnType<number | null, number | null | undefined, never>;
  prev_hash: Filled<Buffer>;
  hash: Filled<Buffer>;
}

/** The entries of all transactions, one row each. Written only by the trigger on `ledger_transactions`. */
export interface LedgerEntriesTable {
  transaction_id: Filled<number>;
  position: Filled<number>;
  team_id: Filled<number>;
  account: Filled<string>;
  amount_micros: Filled<number>;
  grant_id: Filled<number | null>;
}

/** Cached sums of `ledger_entries`. Written only by the trigger on `ledger_transactions`. */
export interface LedgerBalancesTable {
  team_id: Filled<number>;
  account: Filled<string>;
  amount_micros: Filled<number>;
}

/** One row per team: its last transaction. Locking it gives the right to post. */
export interface LedgerHeadsTable {
  team_id: Once<number>;
  seq: Once<number>;
  hash: ColumnType<Buffer, never, never>;
}

/** One row per credit grant. `remaining_micros` is written only by the trigger on `ledger_transactions`. */
export interface CreditGrantsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  team_id: number;
  source: GrantSource;
  reason: string;
  amount_micros: Once<number>;
  remaining_micros: Filled<number>;
  expires_at: Date | null;
  created_by: number | null;
  created_at: Generated<Date>;
  /** When payers were notified that it expires soon. */
  expiry_told_at: Generated<Date | null>;
}

export type CreditGrantRow = Selectable<CreditGrantsTable>;

/** One row per CVM: how far its usage is posted. Created with the CVM by a trigger, changed by the hourly close. */
export interface UsageMetersTable {
  cvm_id: number;
  team_id: number;
  /** Nothing before this is ever billed. */
  billed_from: Date;
  closed_until: Date;
  /** The last state change applied. */
  change_id: number | null;
  basis: Generated<Basis>;
  /** In units of 1/3600 micro-dollar, for size, disk and GPUs. */
  carry: Generated<number>;
  disk_carry: Generated<number>;
  gpu_carry: Generated<number>;
  ended: Generated<boolean>;
}

/** One row per metered interval at one rate, append-only. Written by the hourly close. */
export interface UsageLinesTable {
  id: GeneratedAlways<number>;
  cvm_id: Once<number>;
  team_id: Once<number>;
  /** Null if an hour, or a correction, comes to nothing. */
  transaction_id: Once<number | null>;
  basis: Once<Exclude<UsageLine['basis'], 'none'>>;
  starts_at: Once<Date>;
  /** Half-open. */
  ends_at: Once<Date>;
  status: Once<string>;
  vcpu: Once<number>;
  memory_mb: Once<number>;
  disk_gb: Once<number>;
  /** Negative if it reverses part of the line it corrects. */
  rate_micros: Once<number>;
  carry: Once<number>;
  amount_micros: Once<number>;
  corrects: ColumnType<number | null, number | null | undefined, never>;
  /** The order that pays for it (migration 0110_orders). */
  order_id: ColumnType<number | null, number | null | undefined, never>;
}

/**
 * One row per team and UTC day: the sum of the posted lines that start on it, without corrections. Written by a
 * trigger.
 */
export interface UsageDaysTable {
  team_id: Once<number>;
  /** Start of the day. */
  day: Once<Date>;
  amount_micros: Once<number>;
}
