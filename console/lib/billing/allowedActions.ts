import type { InvoiceState, OrderState, PaymentState } from '../../../generated/api/types.gen';

/**
 * Actions allowed in each state of an invoice, order or payment. The console and the admin area offer them by this
 * table. The server enforces it, except for what returns money of a payment.
 */

/** A credit note can only be issued. */
export const invoiceActions = {
  issue: ['draft'],
  void: ['draft', 'open', 'overdue'],
  write_off: ['open', 'overdue'],
  credit: ['open', 'paid', 'overdue', 'uncollectible'],
} as const satisfies Record<string, readonly InvoiceState[]>;

export const orderActions = {
  cancel: ['pending', 'paid', 'active'],
  /** Without ending the order. */
  refund: ['paid', 'active', 'ended', 'cancelled', 'refunded'],
} as const satisfies Record<string, readonly OrderState[]>;

/** States in which an order takes from its product's stock. */
export const OPEN_ORDER: readonly OrderState[] = ['pending', 'paid', 'active'];

export const paymentActions = {
  cancel: ['pending'],
  reject: ['pending'],
  /** Of a card payment. The server limits it by the money left instead of the state. */
  refund: ['paid', 'part_paid'],
  /** Of a bank transfer; limited likewise. */
  reverse: ['paid', 'part_paid'],
} as const satisfies Record<string, readonly PaymentState[]>;

export const allows = <State extends string>(from: readonly State[], state: State): boolean =>
  from.includes(state);
