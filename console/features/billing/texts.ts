import type { CreditSource, PaymentState, TransactionKind } from '../../../generated/api/types.gen';
import type { StatusInfo } from '../../ui/feedback/status';

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
  tax: 'Tax',
};

export const sourceTexts: Readonly<Record<CreditSource, string>> = {
  promotion: 'Promotion',
  support: 'Support',
  welcome: 'Welcome credit',
};

export const paymentStates: Readonly<Record<PaymentState, StatusInfo>> = {
  pending: { tone: 'progress', glyph: 'dot', word: 'Waiting' },
  part_paid: { tone: 'attention', glyph: 'warning', word: 'Partly received' },
  paid: { tone: 'ok', glyph: 'check', word: 'Received' },
  cancelled: { tone: 'neutral', glyph: 'archived', word: 'Canceled' },
  rejected: { tone: 'error', glyph: 'cross', word: 'Rejected' },
};
