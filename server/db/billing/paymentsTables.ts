import { sql, type ColumnType, type Generated, type GeneratedAlways, type Selectable } from 'kysely';
import type { PaymentState } from '../../../generated/api/types.gen';
import type { Discrepancy } from './checkBooks';

/** One row per payment a team started. */
export interface PaymentsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  team_id: number;
  driver: 'manual' | 'stripe' | 'usdc';
  state: Generated<PaymentState>;
  amount_micros: number;
  /** Credited so far. */
  received_micros: Generated<number>;
  /** Reference on a bank transfer, and the description of a card payment. */
  reference: string;
  /** Why it was rejected or canceled, or why the last card attempt failed. */
  reason: string | null;
  /** Stripe's ID of the hosted page. */
  checkout_session: Generated<string | null>;
  /** Stripe's ID of the payment. */
  payment_intent: Generated<string | null>;
  checkout_url: Generated<string | null>;
  /** Whether the card is kept for later payments. */
  saves_card: Generated<boolean>;
  /** The consent that `created_by` gave for saving it. */
  card_consent: Generated<string | null>;
  /** Started by the server, not by a user. */
  automatic: Generated<boolean>;
  /** Refunded or disputed so far. */
  returned_micros: Generated<number>;
  /** Fingerprint of the card; the same for all payments with that card. */
  card_fingerprint: Generated<string | null>;
  created_by: number | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type PaymentRow = Selectable<PaymentsTable>;

/**
 * `waitsForPayer` in SQL: whether a card payment brings nothing unless its payer returns, because its page was left or its
 * card was declined. @param payments the table's name or alias
 */
export const waitsForPayerSql = (payments: string) => {
  const column = (name: keyof PaymentsTable) => sql.ref(`${payments}.${name}`);
  return sql<boolean>`(${column('driver')} = 'stripe' and ${column('state')} = 'pending'
    and not (${column('automatic')} and ${column('reason')} is null))`;
};

/** One row per transfer that arrived for a payment. */
export interface PaymentReceiptsTable {
  id: GeneratedAlways<number>;
  payment_id: number;
  amount_micros: number;
  /** The bank's identification of the transfer, as entered; for a deposit, its chain, transaction and log. */
  bank_reference: string;
  /** Normalized form of all its spellings; unique among receipts that count. */
  reference_key: string;
  received_at: Date;
  confirmed_by: number | null;
  /** When, why and by which administrator it was reversed; null while it counts. */
  reversed_at: Generated<Date | null>;
  reversed_by: Generated<number | null>;
  reversed_reason: Generated<string | null>;
  created_at: Generated<Date>;
}

export type PaymentReceiptRow = Selectable<PaymentReceiptsTable>;

/** One row per refund that an administrator requested (migration 0072_refunds). */
export interface CardRefundsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  payment_id: number;
  team_id: number;
  /** Key of the request; unique. */
  request_key: string;
  amount_micros: number;
  reason: string;
  /** While it is `pending`, its amount is set aside. */
  state: Generated<'pending' | 'done' | 'failed'>;
  /** Stripe's ID. */
  refund_id: Generated<string | null>;
  /** Its finance action, while approvals are configured. */
  finance_action_id: number | null;
  created_by: number | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type CardRefundRow = Selectable<CardRefundsTable>;

/** One row per team with a Stripe customer. */
export interface StripeCustomersTable {
  team_id: number;
  customer_id: string;
  created_at: Generated<Date>;
}

/** One row per team with a saved card. */
export interface TeamCardsTable {
  team_id: number;
  /** Stripe's ID. */
  card_id: string;
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
  fingerprint: string | null;
  /** The consent given with the payment that saved it; null if it was saved on a separate page. */
  consent: Generated<string | null>;
  consented_by: Generated<number | null>;
  consented_at: Generated<Date | null>;
  /** The card and expiry month that payers were warned of. */
  expiry_told_for: Generated<string | null>;
  /** When to try again to remove it after its team was deleted; null before the first failed try. */
  remove_after: Generated<Date | null>;
  created_at: Generated<Date>;
}

/** One row per team that ever agreed to automatic payments. */
export interface AutoTopUpsTable {
  team_id: number;
  enabled: boolean;
  amount_micros: number;
  threshold_micros: number;
  /** The text of the consent. */
  consent: string;
  consented_by: number | null;
  consented_at: Date;
  attempted_at: Generated<Date | null>;
  declines: Generated<number>;
  /** Why it was turned off automatically. */
  stopped_reason: Generated<string | null>;
  updated_at: Generated<Date>;
}

/** One row per event that Stripe sent. */
export interface StripeEventsTable {
  id: string;
  type: string;
  /** The object's ID; nothing else about the object is used. */
  object_id: string;
  state: Generated<'pending' | 'done' | 'ignored' | 'failed'>;
  tries: Generated<number>;
  due_at: Generated<Date>;
  error: string | null;
  received_at: Generated<Date>;
  handled_at: Date | null;
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
  /** Redeemed only with a team's first payment. */
  welcome: Generated<boolean>;
  /** Minimum amount of that payment; null for other codes. */
  minimum_micros: Generated<number | null>;
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
  /** The payment that earned the credit and is reversed with it: for percentages and welcome codes. */
  payment_id: Generated<number | null>;
  /** Part of the bonus taken back because the payment was returned. */
  taken_micros: Generated<number>;
  /** Fingerprint of the card the team had saved. */
  card_fingerprint: Generated<string | null>;
  created_at: Generated<Date>;
}

/** One row per nightly check of the ledger. */
export interface LedgerChecksTable {
  id: GeneratedAlways<number>;
  checked_at: Generated<Date>;
  transactions: number;
  discrepancies: ColumnType<Discrepancy[], string, never>;
}
