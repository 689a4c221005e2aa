import type {
  CreditSource,
  InvoiceState,
  Payment,
  PaymentDriver,
  PaymentState,
  UsdcDepositState,
  TaxRule,
  TransactionKind,
} from '../../../generated/api/types.gen';
import type { StatusInfo } from '../../ui/feedback/status';
import { monthText } from '../../lib/texts/months';
import type { CostGrouping, Period, UsageGrouping } from './periods';

export const kindTexts: Readonly<Record<TransactionKind, string>> = {
  top_up: 'Payment',
  usage: 'Usage',
  usage_correction: 'Usage correction',
  credit_grant: 'Credit',
  credit_expiry: 'Expired credit',
  credit_revocation: 'Revoked credit',
  refund: 'Refund',
  dispute: 'Dispute',
  dispute_reversal: 'Dispute won',
  adjustment: 'Adjustment',
  write_off: 'Write-off',
  order: 'Order',
  order_refund: 'Order refund',
  tax: 'Tax',
};

/** Says which transactions there are none of. */
export const emptyLedgerText = ({
  kind,
  month,
}: {
  kind: TransactionKind | undefined;
  month: string | undefined;
}): string =>
  `No ${kind === undefined ? '' : `“${kindTexts[kind]}” `}transactions${month === undefined ? '' : ` in ${monthText(month)}`}.`;

export const sourceTexts: Readonly<Record<CreditSource, string>> = {
  promotion: 'Promotion',
  support: 'Support',
  welcome: 'Welcome credit',
};

export const driverTexts: Readonly<Record<PaymentDriver, string>> = {
  manual: 'Bank transfer',
  stripe: 'Card',
  usdc: 'USDC',
};

export const depositStates: Readonly<Record<UsdcDepositState, StatusInfo>> = {
  pending: { tone: 'progress', glyph: 'dot', word: 'Confirming' },
  small: { tone: 'attention', glyph: 'warning', word: 'Below the minimum' },
  credited: { tone: 'ok', glyph: 'check', word: 'Received' },
  dropped: { tone: 'neutral', glyph: 'archived', word: 'Dropped by the network' },
  reversed: { tone: 'error', glyph: 'cross', word: 'Reversed' },
};

const paymentStates: Readonly<Record<PaymentState, StatusInfo>> = {
  pending: { tone: 'progress', glyph: 'dot', word: 'Waiting' },
  part_paid: { tone: 'attention', glyph: 'warning', word: 'Partly received' },
  paid: { tone: 'ok', glyph: 'check', word: 'Received' },
  cancelled: { tone: 'neutral', glyph: 'archived', word: 'Canceled' },
  rejected: { tone: 'error', glyph: 'cross', word: 'Rejected' },
  reversed: { tone: 'error', glyph: 'cross', word: 'Reversed' },
};

/** @param isConfirmed whether the payer has just paid on the payment page */
export function paymentState(
  { state, reason, waits_for_payer }: Pick<Payment, 'state' | 'reason' | 'waits_for_payer'>,
  isConfirmed = false,
): StatusInfo {
  if (!waits_for_payer) return paymentStates[state];
  if (reason !== null) return { tone: 'error', glyph: 'cross', word: 'Not paid' };
  return isConfirmed
    ? { tone: 'progress', glyph: 'dot', word: 'Processing' }
    : { tone: 'neutral', glyph: 'dot', word: 'Incomplete' };
}

export const invoiceStates: Readonly<Record<InvoiceState, StatusInfo>> = {
  draft: { tone: 'neutral', glyph: 'dot', word: 'Draft' },
  open: { tone: 'progress', glyph: 'dot', word: 'Open' },
  paid: { tone: 'ok', glyph: 'check', word: 'Paid' },
  overdue: { tone: 'error', glyph: 'warning', word: 'Overdue' },
  uncollectible: { tone: 'neutral', glyph: 'cross', word: 'Written off' },
  void: { tone: 'neutral', glyph: 'archived', word: 'Void' },
};

/** Returns an invoice's tax label. @param percent such as 19 */
export const taxText = (rule: TaxRule, percent: number): string =>
  rule === 'reverse_charge' ? 'Tax (reverse charge)' : rule === 'fixed' ? `Tax ${percent}%` : 'Tax';

export const periodTexts: Readonly<Record<Period, string>> = {
  month: 'This month',
  'last-month': 'Last month',
  '7-days': 'Last 7 days',
  '30-days': 'Last 30 days',
  '90-days': 'Last 90 days',
};

export const costGroupTexts: Readonly<Record<CostGrouping, string>> = {
  app: 'App',
  cvm: 'CVM',
  instance_type: 'Instance type',
  basis: 'Service',
};

export const usageGroupTexts: Readonly<Record<UsageGrouping, string>> = {
  total: 'Total',
  app: 'App',
  cvm: 'CVM',
};
