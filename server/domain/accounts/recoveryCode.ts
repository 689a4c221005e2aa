import { randomBytes } from 'node:crypto';
import type { Seal } from '../core/seal';

/** Crockford's base32: no I, L, O or U, so that a handwritten code is read back correctly. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODES = 10;

/** `XXXX-XXXX-XXXX`: 60 random bits each. */
export const newRecoveryCodes = (): string[] => Array.from({ length: CODES }, newCode);

function newCode(): string {
  // 256 is a multiple of 32: five bits of each byte are as random as the byte.
  const letters = [...randomBytes(12)].map((byte) => ALPHABET[byte & 31]).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`;
}

/** Normalizes a typed code (lowercase, spaces, O for 0, I or L for 1); null when it is malformed. */
export function parseRecoveryCode(typed: string): string | null {
  const letters = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  if (letters.length !== 12 || [...letters].some((letter) => !ALPHABET.includes(letter))) return null;
  return `${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`;
}

const PURPOSE = 'recovery_code';
const subject = (user_public_id: string, code: string) => `${user_public_id}:${code}`;

/**
 * The stored form: a MAC with the server's own key, because 60 bits are too few for a plain hash in stolen
 * tables.
 */
export const hashRecoveryCode = (seal: Seal, user_public_id: string, code: string): Buffer =>
  Buffer.from(seal.sign(PURPOSE, subject(user_public_id, code)), 'base64url');

/** The stored forms that a typed code may have: two during a rotation of the secret. */
export const recoveryCodeHashes = (seal: Seal, user_public_id: string, code: string): Buffer[] =>
  seal.accepted(PURPOSE, subject(user_public_id, code)).map((mac) => Buffer.from(mac, 'base64url'));

/** Identifies the secret that hashes new codes, without revealing anything about it. */
export const recoveryCodeSecret = (seal: Seal): string => seal.sign(PURPOSE, 'which secret').slice(0, 22);
