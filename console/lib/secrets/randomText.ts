const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Returns random letters and digits, with about 5.95 bits each. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length)
    for (const byte of crypto.getRandomValues(new Uint8Array(length)))
      // Bytes beyond a multiple of 62 are skipped, because they would make the first letters likelier.
      if (byte < 248 && text.length < length) text += LETTERS[byte % LETTERS.length];
  return text;
}
