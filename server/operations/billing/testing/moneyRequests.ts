import type { OperationId } from '../../../../generated/api/operations.gen';

/** A body for every request that moves money and therefore needs an Idempotency-Key. */
export const MONEY_REQUESTS: Partial<Record<OperationId, object>> = {
  createTopUp: { amount: '10' },
  redeemPromotionCode: { code: 'ANY' },
  createAdminCredit: { team_id: 1, amount: '1', reason: 'x' },
  createAdminAdjustment: { team_id: 1, amount: '-1', reason: 'x' },
  refundAdminPayment: { amount: '1', reason: 'x' },
  createAdminCreditNote: { reason: 'x' },
  createOrder: { product_id: 'prd_0123456789abcdef', periods: 1, version: 1, total: '1.00' },
  cancelOrder: { refund: '0.00' },
  cancelAdminOrder: { reason: 'x' },
  refundAdminOrder: { amount: '1', reason: 'x' },
  revokeAdminCredit: { reason: 'x' },
  confirmAdminPayment: { amount: '1', bank_reference: 'x' },
  reverseAdminPayment: { bank_reference: 'x', reason: 'x' },
  rejectAdminPayment: { reason: 'x' },
  issueAdminInvoice: {},
  voidAdminInvoice: { reason: 'x' },
  writeOffAdminInvoice: { reason: 'x' },
  approveAdminFinanceAction: {},
};

/** Writes by finance staff that move no money. */
export const MOVES_NOTHING: readonly OperationId[] = [
  'createAdminOrderProduct',
  'updateAdminOrderProduct',
  'createAdminPromotionCode',
  'updateAdminPromotionCode',
  'rejectAdminFinanceAction',
  'updateAdminBillingSettings',
];
