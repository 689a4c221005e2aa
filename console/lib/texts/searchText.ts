import { cutWhole } from './cutWhole';

/**
 * Returns a text from the page's address as a search term: without control characters and halves of characters, which
 * the API refuses, and not longer than it allows. Undefined if nothing is left to search for.
 */
export function searchText(value: unknown, most: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.replace(/[\t\n\r]/g, ' ').replace(/[\p{Cc}\p{Cs}]/gu, '');
  return text.trim() === '' ? undefined : cutWhole(text, most);
}
