/**
 * Normalizes a bank's transfer number: letter case, spaces and invisible characters don't count. Empty if
 * nothing is visible.
 */
export const bankKey = (reference: string): string =>
  reference
    .normalize('NFKC')
    .replace(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toUpperCase();

/**
 * Returns the unique key of received money. Stripe's IDs are case-sensitive; those of deposits are in lower
 * case.
 */
export const receiptKey = (driver: 'manual' | 'stripe' | 'usdc', reference: string): string =>
  driver === 'manual' ? bankKey(reference) : reference;
