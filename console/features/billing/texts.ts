import type {
  CreditSource,
  PaymentDriver,
  PaymentState,
  TransactionKind,
  UsageBasis,
} from '../../../generated/api/types.gen';
import type { StatusInfo } from '../../ui/feedback/status';
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
  tax: 'Tax',
};

export const sourceTexts: Readonly<Record<CreditSource, string>> = {
  promotion: 'Promotion',
  support: 'Support',
  welcome: 'Welcome credit',
};

export const driverTexts: Readonly<Record<PaymentDriver, string>> = {
  manual: 'Bank transfer',
  stripe: 'Card',
};

export const paymentStates: Readonly<Record<PaymentState, StatusInfo>> = {
  pending: { tone: 'progress', glyph: 'dot', word: 'Waiting' },
  part_paid: { tone: 'attention', glyph: 'warning', word: 'Partly received' },
  paid: { tone: 'ok', glyph: 'check', word: 'Received' },
  cancelled: { tone: 'neutral', glyph: 'archived', word: 'Canceled' },
  rejected: { tone: 'error', glyph: 'cross', word: 'Rejected' },
};

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
  basis: 'What is billed',
};

export const usageGroupTexts: Readonly<Record<UsageGrouping, string>> = {
  total: 'Total',
  app: 'App',
  cvm: 'CVM',
};

export const basisTexts: Readonly<Record<UsageBasis, string>> = {
  size: 'vCPUs and memory',
  disk: 'Disk while stopped',
  gpu: 'GPUs',
  none: 'Nothing',
};
