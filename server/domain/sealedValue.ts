/** What stands in place of what is not shown. */
export const MASK = '•••';

/** What this server sealed (domain/seal). */
export const isSealedValue = (text: string): boolean => /^v1\.[A-Za-z0-9_-]{38,}$/.test(text);
