import { formatUsd } from '../../../console/lib/billing/money';
import { utcDay } from '../core/dates';

/** Notices to payers about their money. Amounts are micro-dollars. */
export interface MoneyNotice {
  severity: 'info' | 'warning' | 'error';
  title: string;
  message: string;
}

/** Subject of automatic-payment notices: a newer one replaces an older one. */
export const AUTO_TOP_UP = 'auto_top_up';

/** Subject of low-balance warnings. */
export const LOW_BALANCE = 'low_balance';

/** Subject of card-expiry warnings. */
export const CARD_EXPIRY = 'card_expiry';

const WARNINGS: ReadonlySet<string> = new Set([AUTO_TOP_UP, LOW_BALANCE, CARD_EXPIRY]);

/** Whether a notice about money asks payers to act, so that it titles an email of several notices. */
export const isUrgent = (
  kind: string,
  { severity, subject }: { severity: string; subject: string },
): boolean =>
  kind === 'debt' ||
  (kind === 'payment' && (severity === 'error' || (severity === 'warning' && WARNINGS.has(subject))));

/** How money arrives. */
const WAYS = { manual: 'by bank transfer', stripe: 'by card', usdc: 'in USDC' } as const;

interface Paid {
  driver: keyof typeof WAYS;
  automatic: boolean;
  reference: string;
  amount_micros: number;
  /** Including what has just arrived. */
  received_micros: number;
}

/** Notice of money received for a payment. */
export function receivedNotice(
  { driver, automatic, reference, amount_micros, received_micros }: Paid,
  amount: number,
): MoneyNotice {
  const sum = formatUsd(amount);
  const missing = amount_micros - received_micros;
  const rest = missing > 0 ? ` ${formatUsd(missing)} of ${formatUsd(amount_micros)} hasn’t arrived yet.` : '';
  if (automatic)
    return {
      severity: 'info',
      title: 'Your card was charged',
      message: `${sum} was charged to the saved card, as agreed, and added to the balance. Reference: ${reference}.${rest}`,
    };
  return {
    severity: 'info',
    title: 'Payment received',
    message: `${sum} arrived ${WAYS[driver]} and was added to the balance. Reference: ${reference}.${rest}`,
  };
}

/** Notice of payment money that was returned, or that came back after all. */
export function returnedNotice(
  reference: string,
  amount: number,
  why: 'refund' | 'refund_failed' | 'dispute' | 'dispute_won',
): MoneyNotice {
  const sum = formatUsd(amount);
  switch (why) {
    case 'refund':
      return {
        severity: 'warning',
        title: 'Payment refunded',
        message: `${sum} of ${reference} is being refunded to the card and was taken from the balance.`,
      };
    case 'refund_failed':
      return {
        severity: 'warning',
        title: 'A refund was returned',
        message: `The bank returned the refund of ${reference}. ${sum} was added to the balance again.`,
      };
    case 'dispute':
      return {
        severity: 'error',
        title: 'A payment is disputed',
        message: `${sum} was taken from the balance, because the cardholder disputes ${reference}.`,
      };
    case 'dispute_won':
      return {
        severity: 'info',
        title: 'A dispute was resolved',
        message: `${sum} of ${reference} was added to the balance again.`,
      };
  }
}

/** Notice of a payment closed without money. */
export const rejectedNotice = (reference: string, amount: number, reason: string): MoneyNotice => ({
  severity: 'error',
  title: 'Payment rejected',
  message: `${reference} of ${formatUsd(amount)} was rejected. ${sentence(reason)}`,
});

/** Notice of credit from staff or a first payment. */
export const grantedNotice = (amount: number, reason: string, expires_at: Date | null): MoneyNotice => ({
  severity: 'info',
  title: 'Credit granted',
  message: `${formatUsd(amount)} in credit was added. ${sentence(reason)}${expires_at ? ` It expires on ${utcDay(expires_at)}.` : ''}`,
});

export const revokedNotice = (amount: number, reason: string): MoneyNotice => ({
  severity: 'error',
  title: 'Credit revoked',
  message: `${formatUsd(amount)} in credit was revoked. ${sentence(reason)}`,
});

export const expiringNotice = (amount: number, reason: string, expires_at: Date): MoneyNotice => ({
  severity: 'warning',
  title: 'Credit expires soon',
  message: `${formatUsd(amount)} of credit is left until ${utcDay(expires_at)}. ${sentence(reason)}`,
});

export const adjustedNotice = (amount: number, reason: string): MoneyNotice => ({
  severity: amount > 0 ? 'info' : 'warning',
  title: 'Your balance was corrected',
  message: `${formatUsd(Math.abs(amount))} was ${amount > 0 ? 'added to' : 'taken from'} your prepaid balance. ${sentence(reason)}`,
});

/** A reason as typed by staff, with the period that they may have omitted. */
const sentence = (text: string): string => (/[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);
