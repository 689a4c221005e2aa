/**
 * Truncates a text to `most` UTF-16 units without splitting a surrogate pair: JSON with half of one can't be stored
 * or sent in a URL.
 */
export const cutWhole = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
