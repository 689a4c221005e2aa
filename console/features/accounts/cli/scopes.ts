export { isPlatformScope, describeScope } from '../../../api/scopes';

/** Normalizes a typed code: "abcd efgh" becomes ABCD-EFGH. */
export function normalCode(typed: string): string {
  const letters = typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return letters.length === 8 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters;
}
