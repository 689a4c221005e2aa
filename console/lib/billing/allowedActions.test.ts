import { describe, expect, it } from 'vitest';
import { allows, invoiceActions, OPEN_ORDER, orderActions, paymentActions } from './allowedActions';

describe('actions on invoices, orders and payments', () => {
  it('issues only drafts, and credits only issued invoices', () => {
    expect(allows(invoiceActions.issue, 'draft')).toBe(true);
    expect(allows(invoiceActions.issue, 'open')).toBe(false);
    expect(allows(invoiceActions.credit, 'draft')).toBe(false);
    expect(allows(invoiceActions.credit, 'void')).toBe(false);
  });

  it('never voids a paid invoice, which is credited instead', () => {
    expect(allows(invoiceActions.void, 'paid')).toBe(false);
    expect(allows(invoiceActions.credit, 'paid')).toBe(true);
  });

  it('cancels an order only while it takes from the stock, and refunds only a charged one', () => {
    expect(OPEN_ORDER).toEqual(['pending', 'paid', 'active']);
    expect(allows(orderActions.cancel, 'ended')).toBe(false);
    expect(allows(orderActions.refund, 'pending')).toBe(false);
    expect(allows(orderActions.refund, 'cancelled')).toBe(true);
  });

  it('cancels or rejects a payment only before any money has arrived', () => {
    expect(allows(paymentActions.cancel, 'pending')).toBe(true);
    expect(allows(paymentActions.cancel, 'part_paid')).toBe(false);
    expect(allows(paymentActions.reject, 'part_paid')).toBe(false);
  });
});
