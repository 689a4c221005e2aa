import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { TOKEN_PATTERN, type TokenType } from '../../../console/lib/tokens';

export type { TokenType } from '../../../console/lib/tokens';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const WHOLE = new RegExp(`^${TOKEN_PATTERN}$`);

function checksum(body: string): string {
  let value = typeof crc32 === 'function' ? crc32(body) : fallbackCrc32(body);
  let text = '';
  for (let i = 0; i < 6; i++) {
    text = BASE62[value % 62] + text;
    value = Math.floor(value / 62);
  }
  return text;
}

// zlib.crc32 needs Node 20.15; the same polynomial for older patch releases.
function fallbackCrc32(text: string): number {
  let crc = ~0;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}

export function newToken(type: TokenType): string {
  let random = '';
  while (random.length < 32) {
    // Rejection sampling: 248 is the largest multiple of 62 in a byte.
    for (const byte of randomBytes(48)) if (byte < 248 && random.length < 32) random += BASE62[byte % 62];
  }
  const body = `thk_${type}_${random}`;
  return body + checksum(body);
}

/** Whether the text has a token's shape and checksum. */
export function isWellFormedToken(text: string): boolean {
  if (!WHOLE.test(text)) return false;
  return checksum(text.slice(0, -6)) === text.slice(-6);
}

/**
 * For logs: page URLs such as `/reset-password/thk_lnk_…` contain a token as sensitive as a password. In a
 * KMS's webhook URL, anything in its place is omitted, in any encoding.
 */
export const withoutTokens = (text: string) =>
  text
    .replace(/thk_([a-z]{2,4})_\w+/g, 'thk_$1_[redacted]')
    .replace(/(\/kms-auth\/+)[^/?#\s"')]+/gi, '$1[redacted]');

/** The stored form. The token has 190 random bits, so a fast hash is enough and one indexed query finds it. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** The part of a token lists may show. */
export const tokenPrefix = (token: string) => token.slice(0, 12);

/** Shown in lists so that owners can recognize a token: `thk_api_4fGh…9xKq`. Old rows have no last four. */
export const tokenHint = (row: { token_prefix: string; token_last4: string }) =>
  `${row.token_prefix}…${row.token_last4}`;
