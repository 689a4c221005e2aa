import { formatUsd } from './money';

/**
 * Returns what a team agrees to with automatic payments; the text is kept with the agreement. Amounts in micro-dollars.
 */
export const autoTopUpConsent = ({ amount, threshold }: { amount: number; threshold: number }): string =>
  `The saved card may be charged ${formatUsd(amount)} whenever the team's balance is below ${formatUsd(threshold)}, at most once an hour, until this is turned off. It is turned off after three declined payments in a row.`;
