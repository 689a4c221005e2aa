import {
  adminCredits,
  adminPayments,
  adminPromotionCodes,
  adminTransactions,
} from '../../../db/billing/adminBilling';
import {
  adminCreditOut,
  adminPaymentOut,
  adminPromotionCodeOut,
  adminTransactionOut,
} from '../../../domain/billing/billingResponse';
import type { AdminResource } from './resource';

const resource = <Row, Out>(given: AdminResource<Row, Out>) => given;

export const transactions = resource({
  name: 'transactions',
  singular: 'transaction',
  source: adminTransactions,
  out: adminTransactionOut,
  version: (row) => row.booked_at,
});

export const credits = resource({
  name: 'credits',
  singular: 'credit',
  source: adminCredits,
  out: adminCreditOut,
  version: (row) => row.created_at,
});

export const payments = resource({
  name: 'payments',
  singular: 'payment',
  source: adminPayments,
  out: adminPaymentOut,
  version: (row) => row.updated_at,
});

export const promotionCodes = resource({
  name: 'promotion-codes',
  singular: 'promotion code',
  source: adminPromotionCodes,
  out: adminPromotionCodeOut,
  version: (row) => row.updated_at,
});
