import type { AdminFinanceAction, CreateAdminAdjustment } from '../../../generated/api/types.gen';
import { exactUsd, formatMicros, parseMicros } from './money';

type Kind = AdminFinanceAction['action'];

/** Names of finance actions, in the admin area's settings and in approval emails. */
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

interface Moves {
  action: Kind;
  /** Never negative, because it counts toward the approval limit. */
  amount_micros: number;
  /** The request body. */
  body: unknown;
}

/** Returns the amount moved, in micro-dollars. Only an adjustment can be negative, if requested so. */
export const signedAmount = ({ action, amount_micros, body }: Moves): number =>
  action === 'adjust_balance'
    ? (parseMicros((body as CreateAdminAdjustment).amount) ?? amount_micros)
    : amount_micros;

/** "Take $600.00 from the balance of Acme"; null for actions with a fixed direction. */
const adjustmentText = (moves: Moves, team: string): string | null => {
  if (moves.action !== 'adjust_balance') return null;
  const signed = signedAmount(moves);
  const amount = exactUsd(formatMicros(Math.abs(signed)));
  return signed < 0
    ? `Take ${amount} from the balance of ${team}`
    : `Add ${amount} to the balance of ${team}`;
};

/**
 * Names an action with its target and amount: "Confirm transfer TH-LUGDP7K8, $500.00", "Take $600.00 from the
 * balance of Acme".
 */
export const financeActionTitle = (moves: Moves, target: string): string =>
  adjustmentText(moves, target) ??
  `${titles[moves.action](target)}, ${exactUsd(formatMicros(moves.amount_micros))}`;

/** The form used in emails: "Grant a credit, $250.00, for Acme", "Take $600.00 from the balance of Acme". */
export const financeActionName = (moves: Moves, target: string): string =>
  adjustmentText(moves, target) ??
  `${financeActionTexts[moves.action]}, ${exactUsd(formatMicros(moves.amount_micros))}, for ${target}`;

const titles: Readonly<Record<Kind, (target: string) => string>> = {
  grant_credit: (team) => `Grant a credit to ${team}`,
  revoke_credit: (credit) => `Revoke credit ${credit}`,
  confirm_payment: (payment) => `Confirm transfer ${payment}`,
  refund_payment: (payment) => `Refund card payment ${payment}`,
  reverse_payment: (payment) => `Reverse transfer ${payment}`,
  void_invoice: (invoice) => `Void invoice ${invoice}`,
  write_off_invoice: (invoice) => `Write off invoice ${invoice}`,
  credit_invoice: (invoice) => `Issue a credit note for invoice ${invoice}`,
  cancel_order: (order) => `Cancel order “${order}” with a refund`,
  refund_order: (order) => `Refund order “${order}”`,
  create_promotion_code: (code) => `Create promotion code ${code}`,
  widen_promotion_code: (code) => `Widen promotion code ${code}`,
  create_order_product: (product) => `Offer ${product} below its metered price`,
  discount_order_product: (product) => `Make ${product} cheaper, or offer more of it`,
  raise_post_paid_cap: (team) => `Raise the post-paid cap of ${team}`,
  raise_rate: (type) => `Raise the rate of ${type} above the price of orders`,
  adjust_balance: (team) => `Adjust the balance of ${team}`,
};
