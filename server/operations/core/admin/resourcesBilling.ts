import {
  adminCredits,
  adminInvoiceLinesOf,
  adminInvoices,
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
import { adminOrderProducts, adminOrders } from '../../../db/billing/orders/orderLists';
import { adminOrderOut, adminProductOut } from '../../../domain/billing/orders/orderResponse';
import { adminInvoiceLineOut, adminInvoiceOut } from '../../../domain/billing/invoiceResponse';
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

export const invoices = resource({
  name: 'invoices',
  singular: 'invoice',
  source: adminInvoices,
  out: adminInvoiceOut,
  version: (row) => row.updated_at,
});

export const invoiceLines = resource({
  name: 'invoice-lines',
  singular: 'invoice line',
  source: adminInvoiceLinesOf(0),
  out: adminInvoiceLineOut,
  // Frozen with the draft.
  version: () => new Date(0),
});

export const promotionCodes = resource({
  name: 'promotion-codes',
  singular: 'promotion code',
  source: adminPromotionCodes,
  out: adminPromotionCodeOut,
  version: (row) => row.updated_at,
});

export const orders = resource({
  name: 'orders',
  singular: 'order',
  source: adminOrders,
  out: adminOrderOut,
  version: (row) => row.updated_at,
});

export const orderProducts = resource({
  name: 'order-products',
  singular: 'product',
  source: adminOrderProducts,
  out: adminProductOut,
  version: (row) => row.updated_at,
});
