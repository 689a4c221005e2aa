import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { Discrepancy } from './checkBooks';

type PaymentState = 'pending' | 'part_paid' | 'paid' | 'cancelled' | 'rejected';

/** One row per payment a team started. */
export interface PaymentsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  team_id: number;
  driver: 'manual';
  state: Generated<PaymentState>;
  amount_micros: number;
  /** Credited so far. */
  received_micros: Generated<number>;
  /** What the payer writes on a bank transfer. */
  reference: string;
  /** Why it was rejected. */
  reason: string | null;
  created_by: number | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type PaymentRow = Selectable<PaymentsTable>;

/** One row per transfer that arrived for a payment. */
export interface PaymentReceiptsTable {
  id: GeneratedAlways<number>;
  payment_id: number;
  amount_micros: number;
  /** The bank's identification of the transfer; unique. */
  bank_reference: string;
  received_at: Date;
  confirmed_by: number | null;
  created_at: Generated<Date>;
}

/** One row per promotion code. Either `amount_micros`, or `percent` with `cap_micros`, is set. */
export interface PromotionCodesTable {
  id: GeneratedAlways<number>;
  /** Upper case. */
  code: string;
  description: Generated<string>;
  amount_micros: number | null;
  percent: number | null;
  cap_micros: number | null;
  max_uses: number | null;
  max_uses_per_team: number | null;
  uses: Generated<number>;
  new_teams_days: number | null;
  starts_at: Date | null;
  ends_at: Date | null;
  credit_days: number | null;
  state: Generated<'active' | 'retired'>;
  created_by: number | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type PromotionCodeRow = Selectable<PromotionCodesTable>;

/** One row per redemption. `grant_id` is null while a percentage waits for the next payment. */
export interface PromotionRedemptionsTable {
  id: GeneratedAlways<number>;
  code_id: number;
  team_id: number;
  user_id: number | null;
  grant_id: number | null;
  created_at: Generated<Date>;
}

/** One row per nightly check of the ledger. */
export interface LedgerChecksTable {
  id: GeneratedAlways<number>;
  checked_at: Generated<Date>;
  transactions: number;
  discrepancies: ColumnType<Discrepancy[], string, never>;
}
