import { ownValue } from '../ownValue';

/**
 * VAT number formats of the EU member states, without the prefix (VIES, "VAT identification number structure").
 * Doesn't check whether a number is registered.
 */
const FORMATS: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^([A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[A-Z0-9+*]{12}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
};

/** Returns a VAT number in uppercase without separators, such as DE123456789. */
export const normalVatId = (text: string): string => text.replace(/[\s.-]/g, '').toUpperCase();

/**
 * Returns the prefix of a VAT number in its member state's format; null if it isn't valid. @param vatId normalized
 */
export function vatPrefix(vatId: string): string | null {
  const prefix = vatId.slice(0, 2);
  return ownValue(FORMATS, prefix)?.test(vatId.slice(2)) ? prefix : null;
}

/** Returns the prefix of a country's VAT numbers. Greece's is EL. @param country ISO 3166-1 alpha-2 */
export const prefixOfCountry = (country: string): string => (country === 'GR' ? 'EL' : country);
