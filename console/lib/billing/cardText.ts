import { ownValue } from '../ownValue';

/** Stripe's brand IDs that need more than a capital letter. */
const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  eftpos_au: 'Eftpos Australia',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  unknown: 'Card',
};

/** "Visa ending in 4242" */
export const cardText = ({ brand, last4 }: { brand: string; last4: string }): string =>
  `${ownValue(BRANDS, brand) ?? `${brand.charAt(0).toUpperCase()}${brand.slice(1)}`} ending in ${last4}`;
