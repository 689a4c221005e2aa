import type { AdminFinanceAction } from '../../../generated/api/types.gen';

type Kind = AdminFinanceAction['action'];

/** What finance staff do, as the admin area's settings and the mails about approvals name it. */
export const financeActionTexts: Readonly<Record<Kind, string>> = {
  grant_credit: 'Grant a credit',
  revoke_credit: 'Revoke a credit',
  confirm_payment: 'Confirm a bank transfer',
  refund_payment: 'Refund a card payment',
  reverse_payment: 'Reverse a bank transfer',
  void_invoice: 'Void an invoice',
  write_off_invoice: 'Write off an invoice',
  credit_invoice: 'Issue a credit note',
  cancel_order: 'Cancel an order with a refund',
  refund_order: 'Refund an order',
  create_promotion_code: 'Create a promotion code',
  widen_promotion_code: 'Widen a promotion code',
  create_order_product: 'Offer capacity below its metered price',
  discount_order_product: 'Lower the price of offered capacity, or offer more of it',
  raise_post_paid_cap: 'Raise a team’s post-paid cap',
  raise_rate: 'Raise a rate above the price of orders',
  adjust_balance: 'Adjust a team’s balance',
};
