import { formatUsd } from './money';

/**
 * Returns the consent text for automatic payments, which is stored with the agreement. Amounts in micro-dollars.
 */
export const autoTopUpConsent = ({ amount, threshold }: { amount: number; threshold: number }): string =>
  `The saved card may be charged ${formatUsd(amount)} whenever the team’s balance is below ${formatUsd(threshold)}, at most once an hour, until this is turned off. It is turned off after three declined payments in a row.`;

/** Consent text for saving a card with a payment, which is stored with the agreement. */
export const SAVE_CARD_CONSENT =
  'Stripe saves the card for the team’s later payments. It is charged automatically only while automatic payments are turned on, which needs a separate agreement. Removing the card withdraws this agreement.';
