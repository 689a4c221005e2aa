import type { Seal } from './seal';

/** Characters of a MAC of 32 bytes as base64url. */
const MAC_LENGTH = 43;

/** Returns a text with its signature, for links in mail. Valid for one purpose, without expiry. */
export const signedToken = (
  seal: Pick<Seal, 'sign'>,
  purpose: string,
  text: string,
  separator: '.' | '-',
): string => `${text}${separator}${seal.sign(purpose, text)}`;

/** Returns the text of a token; null if the signature isn't this server's for the purpose. */
export function readSignedToken(
  seal: Pick<Seal, 'verify'>,
  purpose: string,
  token: string,
  separator: '.' | '-',
): string | null {
  const at = token.length - MAC_LENGTH - 1;
  if (at < 0 || token[at] !== separator) return null;
  const text = token.slice(0, at);
  return seal.verify(purpose, text, token.slice(at + 1)) ? text : null;
}
