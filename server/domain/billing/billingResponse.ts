import { formatMicros } from '../../../console/lib/billing/money';
import type {
  AdminCredit,
  AdminPayment,
  AdminPromotionCode,
  AdminTransaction,
  Credit,
  CreditState,
  Payment,
  Transaction,
  WelcomeAmount,
  WelcomePercentage,
} from '../../../generated/api/types.gen';
import { iso } from '../core/references';
import type { GrantSource, LedgerEntry, LedgerKind } from './ledger';

/* Maps rows to API responses. Amounts are micro-dollars inside, and decimal strings of dollars outside. */

interface TransactionFields {
  public_id: string;
  kind: LedgerKind;
  description: string;
  entries: readonly LedgerEntry[];
  effective_at: Date;
  booked_at: Date;
}

const changeOf = (entries: readonly LedgerEntry[], account: LedgerEntry['account']) =>
  entries.reduce((sum, entry) => (entry.account === account ? sum + entry.amount : sum), 0);

export function transactionOut(row: TransactionFields & { corrected: string | null }): Transaction {
  const prepaid = changeOf(row.entries, 'prepaid');
  const credits = changeOf(row.entries, 'credits');
  return {
    id: row.public_id,
    kind: row.kind,
    description: row.description,
    amount: formatMicros(prepaid + credits),
    prepaid: formatMicros(prepaid),
    credits: formatMicros(credits),
    effective_at: row.effective_at.toISOString(),
    booked_at: row.booked_at.toISOString(),
    corrects: row.corrected,
  };
}

interface GrantFields {
  public_id: string;
  source: GrantSource;
  reason: string;
  amount_micros: number;
  remaining_micros: number;
  expires_at: Date | null;
  created_at: Date;
  /** Whether a remainder expired; false if absent. */
  has_expired?: boolean;
}

function creditState(
  { remaining_micros, expires_at, has_expired = false }: GrantFields,
  now: Date,
): CreditState {
  if (remaining_micros === 0 && !has_expired) return 'used';
  return expires_at !== null && expires_at <= now ? 'expired' : 'active';
}

export const creditOut = (row: GrantFields, now: Date): Credit => ({
  id: row.public_id,
  source: row.source,
  reason: row.reason,
  amount: formatMicros(row.amount_micros),
  remaining: formatMicros(row.remaining_micros),
  state: creditState(row, now),
  expires_at: iso(row.expires_at),
  created_at: row.created_at.toISOString(),
});

interface PaymentFields {
  public_id: string;
  driver: Payment['driver'];
  state: Payment['state'];
  amount_micros: number;
  received_micros: number;
  returned_micros: number;
  reference: string;
  reason: string | null;
  automatic: boolean;
  created_at: Date;
  updated_at: Date;
}

/**
 * Whether a card payment brings nothing unless its payer returns: its page was left, or its card was declined.
 * For an automatic one without a reason, the saved card may have been charged.
 */
const waitsForPayer = ({
  driver,
  state,
  automatic,
  reason,
}: Pick<PaymentFields, 'driver' | 'state' | 'automatic' | 'reason'>): boolean =>
  driver === 'stripe' && state === 'pending' && !(automatic && reason === null);

export const paymentOut = (row: PaymentFields): Payment => ({
  ...withoutState(row),
  state: row.state,
  waits_for_payer: waitsForPayer(row),
});

const withoutState = (
  row: Omit<PaymentFields, 'state' | 'automatic'>,
): Omit<Payment, 'state' | 'waits_for_payer'> => ({
  id: row.public_id,
  driver: row.driver,
  amount: formatMicros(row.amount_micros),
  received: formatMicros(row.received_micros),
  returned: formatMicros(row.returned_micros),
  reference: row.reference,
  reason: row.reason,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export type AdminTransactionFields = TransactionFields & {
  id: number;
  team_id: number;
  seq: number;
  amount: number;
  source_type: string;
  source_id: string;
  source_resource: string | null;
  source_record_id: string | null;
  hash: Buffer;
};

export const adminTransactionOut = (row: AdminTransactionFields): AdminTransaction => ({
  id: row.id,
  public_id: row.public_id,
  team_id: row.team_id,
  seq: row.seq,
  kind: row.kind,
  description: row.description,
  amount: formatMicros(row.amount),
  entries: row.entries.map(({ account, amount, grant }) => ({
    account,
    amount: formatMicros(amount),
    ...(grant === undefined ? {} : { credit: grant }),
  })),
  source_type: row.source_type,
  source_id: row.source_id,
  source_resource: row.source_resource,
  source_record_id: row.source_record_id,
  effective_at: row.effective_at.toISOString(),
  booked_at: row.booked_at.toISOString(),
  hash: row.hash.toString('hex'),
});

export type AdminCreditFields = GrantFields & {
  id: number;
  team_id: number;
  state: CreditState;
  created_by: number | null;
};

export const adminCreditOut = (row: AdminCreditFields): AdminCredit => ({
  id: row.id,
  public_id: row.public_id,
  team_id: row.team_id,
  source: row.source,
  reason: row.reason,
  amount: formatMicros(row.amount_micros),
  remaining: formatMicros(row.remaining_micros),
  state: row.state,
  expires_at: iso(row.expires_at),
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
});

interface ReceiptFields {
  amount_micros: number;
  bank_reference: string;
  /** As JSON. */
  received_at: string;
  confirmed_by: string | null;
  reversed_at: string | null;
  reversed_reason: string | null;
}

export type AdminPaymentFields = Omit<PaymentFields, 'state' | 'automatic'> & {
  state: AdminPayment['state'];
  id: number;
  team_id: number;
  receipts: readonly ReceiptFields[];
  created_by: number | null;
};

export const adminPaymentOut = ({
  id,
  team_id,
  receipts,
  created_by,
  ...row
}: AdminPaymentFields): AdminPayment => ({
  ...withoutState(row),
  id,
  state: row.state,
  public_id: row.public_id,
  team_id,
  receipts: receipts.map(({ amount_micros, received_at, reversed_at, ...receipt }) => ({
    ...receipt,
    amount: formatMicros(amount_micros),
    received_at: new Date(received_at).toISOString(),
    reversed_at: reversed_at === null ? null : new Date(reversed_at).toISOString(),
  })),
  created_by,
});

export interface PromotionCodeFields {
  id: number;
  code: string;
  description: string;
  amount_micros: number | null;
  percent: number | null;
  cap_micros: number | null;
  uses: number;
  max_uses: number | null;
  max_uses_per_team: number | null;
  new_teams_days: number | null;
  starts_at: Date | null;
  ends_at: Date | null;
  credit_days: number | null;
  welcome: boolean;
  minimum_micros: number | null;
  state: 'active' | 'retired';
  created_by: number | null;
  created_at: Date;
  updated_at: Date;
}

export const adminPromotionCodeOut = ({
  amount_micros,
  cap_micros,
  minimum_micros,
  ...row
}: PromotionCodeFields): AdminPromotionCode => ({
  ...row,
  amount: amount_micros === null ? null : formatMicros(amount_micros),
  cap: cap_micros === null ? null : formatMicros(cap_micros),
  minimum: minimum_micros === null ? null : formatMicros(minimum_micros),
  starts_at: iso(row.starts_at),
  ends_at: iso(row.ends_at),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export const welcomeOut = ({
  amount_micros,
  percent,
  cap_micros,
  minimum_micros,
}: {
  amount_micros: number | null;
  percent: number | null;
  cap_micros: number | null;
  minimum_micros: number | null;
}): WelcomeAmount | WelcomePercentage => {
  const minimum = formatMicros(minimum_micros ?? 0);
  if (amount_micros !== null)
    return { amount: formatMicros(amount_micros), percent: null, cap: null, minimum };
  // Checked by the database.
  if (percent === null || cap_micros === null) throw new Error('a promotion code has no amount');
  return { amount: null, percent, cap: formatMicros(cap_micros), minimum };
};
