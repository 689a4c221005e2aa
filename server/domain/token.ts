import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Tokens look like `thk_<type>_<random><checksum>`: a brand for secret scanners, a type for people, 32 random
 * base62 characters (190 bits) and 6 of checksum, so that a typo is refused without touching the database.
 */
export type TokenType = (typeof TOKEN_TYPES)[number];

/** api and cli act for a person in a team; ses is a session, dev a device code, lnk a mailed link, inv an invitation, psi a sign-in that waits. */
const TOKEN_TYPES = ['api', 'cli', 'ses', 'dev', 'lnk', 'inv', 'psi'] as const;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Published so that secret scanners can find leaked tokens. */
export const TOKEN_PATTERN = new RegExp(`\\bthk_(?:${TOKEN_TYPES.join('|')})_[0-9A-Za-z]{38}\\b`);

function checksum(body: string): string {
  let value = typeof crc32 === 'function' ? crc32(body) : fallbackCrc32(body);
  let text = '';
  for (let i = 0; i < 6; i++) {
    text = BASE62[value % 62] + text;
    value = Math.floor(value / 62);
  }
  return text;
}

// zlib.crc32 came with Node 20.15; the same polynomial for older patch releases.
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

/** Whether the text can be a token at all: shape and checksum. */
export function isWellFormedToken(text: string): boolean {
  const whole = TOKEN_PATTERN.exec(text);
  if (whole?.[0] !== text) return false;
  return checksum(text.slice(0, -6)) === text.slice(-6);
}

/** For logs: addresses of pages such as `/reset-password/thk_lnk_…` carry a token that is as good as a password. */
export const withoutTokens = (text: string) => text.replace(/thk_([a-z]{3})_\w+/g, 'thk_$1_[redacted]');

/** What is stored. The token has 190 random bits, so a fast hash is enough and one indexed query finds it. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** What a list may show of a token. */
export const tokenPrefix = (token: string) => token.slice(0, 12);
