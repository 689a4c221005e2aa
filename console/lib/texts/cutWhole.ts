/** Returns at most `most` UTF-16 units of a text, without half of a character at the end: JSON with one can't be stored, nor sent in a URL. */
export const cutWhole = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
