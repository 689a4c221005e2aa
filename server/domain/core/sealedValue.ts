/** Placeholder for masked values. */
export const MASK = '•••';

/** Whether this server sealed the text (domain/core/seal.ts). */
export const isSealedValue = (text: string): boolean => /^v1\.[A-Za-z0-9_-]{38,}$/.test(text);
