import { cardText } from '../../../console/lib/billing/cardText';
import { utcMonth } from '../core/dates';
import type { MoneyNotice } from './paymentNotice';

/** Payers are warned this many days before the end of the month in which a saved card expires. */
export const CARD_EXPIRY_DAYS = 14;

export interface ExpiringCard {
  brand: string;
  last4: string;
  /** Counted from 1. */
  exp_month: number;
  exp_year: number;
}

/** Returns the warning of a card that expires. */
export const cardExpiryNotice = ({ exp_month, exp_year, ...card }: ExpiringCard): MoneyNotice => ({
  severity: 'warning',
  title: 'The saved card expires soon',
  message: `${cardText(card)} expires at the end of ${utcMonth(new Date(Date.UTC(exp_year, exp_month - 1)))}. Save another card on the billing page before then, so that automatic payments don’t fail.`,
});
