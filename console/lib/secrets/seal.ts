// Encrypts an app's environment so that only the guest with the app's X25519 key can read it: ephemeral X25519
// → raw shared secret as AES-256-GCM key → hex(eph_pub ‖ iv ‖ ciphertext ‖ tag). There is no KDF and no AAD,
// because deployed guests expect exactly this.

import { gcm } from '@noble/ciphers/aes.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { bytesToHex, concatBytes, hexToBytes, utf8 } from '../bytes';
import { type EnvPair, type EnvProblemCode, envPlaintext, validateEnv } from '../compose/envRules';

export { type EnvPair, validateEnv } from '../compose/envRules';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

export type SealErrorCode =
  | EnvProblemCode
  | 'public_key_empty'
  | 'public_key_not_hex'
  | 'public_key_odd_length'
  | 'public_key_length'
  | 'public_key_low_order'
  | 'private_key_invalid'
  | 'ephemeral_key_invalid'
  | 'iv_invalid'
  | 'blob_not_hex'
  | 'blob_too_short'
  | 'blob_low_order'
  | 'blob_not_for_this_key'
  | 'blob_malformed';

/** `message` may be shown to users; it never contains a value or key material. */
export class SealError extends Error {
  readonly code: SealErrorCode;
  constructor(code: SealErrorCode, message: string) {
    super(message);
    this.name = 'SealError';
    this.code = code;
  }
}

/**
 * Parses a hex environment encryption key. Accepts exactly `/^(0x)?[0-9a-fA-F]{64}$/` and no low-order point
 * (RFC 7748 §6.1: the shared secret would be zero and readable by anyone).
 * @throws {SealError}
 */
export function parsePublicKey(hex: string): Uint8Array {
  const digits = hex.startsWith('0x') ? hex.slice(2) : hex;
  if (digits === '') throw new SealError('public_key_empty', 'The encryption key is empty.');
  if (!/^[0-9a-fA-F]*$/.test(digits)) {
    const hint = hex.startsWith('0X') ? ' Write the prefix 0x in lowercase.' : '';
    throw new SealError(
      'public_key_not_hex',
      `The encryption key contains characters other than 0-9 and a-f.${hint}`,
    );
  }
  if (digits.length % 2 !== 0) {
    throw new SealError(
      'public_key_odd_length',
      `The encryption key has ${digits.length} hex digits, an odd number, so one is missing or extra.`,
    );
  }
  const key = hexToBytes(digits);
  if (key?.length !== KEY_BYTES) {
    throw new SealError(
      'public_key_length',
      `The encryption key is ${digits.length / 2} bytes long; an X25519 key is ${KEY_BYTES}.`,
    );
  }
  // Clamped scalars are multiples of the cofactor, so any one of them exposes a low-order point.
  sharedSecret(new Uint8Array(KEY_BYTES).fill(1), key, 'public_key_low_order');
  return key;
}

function sharedSecret(
  secret: Uint8Array,
  publicKey: Uint8Array,
  code: 'public_key_low_order' | 'blob_low_order',
): Uint8Array {
  try {
    return x25519.getSharedSecret(secret, publicKey);
  } catch {
    throw new SealError(
      code,
      code === 'public_key_low_order'
        ? 'The encryption key is a low-order point: anyone could decrypt what is encrypted to it.'
        : 'The encrypted environment has a low-order key and was rejected.',
    );
  }
}

/**
 * Returns the encrypted environment as lowercase hex without 0x. `deterministic` fixes the two random inputs
 * and is for test vectors only: a repeated ephemeral key and IV breaks AES-GCM.
 * @throws {SealError} for an invalid key or an environment the guest would reject (warnings of `validateEnv`
 * don't throw).
 */
export function sealEnv(
  env: readonly EnvPair[],
  publicKeyHex: string,
  deterministic?: { ephemeralPrivateKey: Uint8Array; iv: Uint8Array },
): string {
  const recipient = parsePublicKey(publicKeyHex);
  const refused = validateEnv(env).find((problem) => problem.severity === 'error');
  if (refused) throw new SealError(refused.code, refused.message);

  const secret = deterministic?.ephemeralPrivateKey ?? x25519.utils.randomSecretKey();
  if (secret.length !== KEY_BYTES)
    throw new SealError('ephemeral_key_invalid', 'The ephemeral key must be 32 bytes.');
  const iv = deterministic?.iv ?? crypto.getRandomValues(new Uint8Array(IV_BYTES));
  if (iv.length !== IV_BYTES) throw new SealError('iv_invalid', 'The IV must be 12 bytes.');

  const ephemeralPublic = x25519.getPublicKey(secret);
  const shared = sharedSecret(secret, recipient, 'public_key_low_order');
  const sealed = gcm(shared, iv).encrypt(utf8(envPlaintext(env)));
  shared.fill(0);
  if (!deterministic) secret.fill(0);
  return bytesToHex(concatBytes(ephemeralPublic, iv, sealed));
}

/**
 * Decrypts the result of `sealEnv`; keeps order and duplicates.
 * @throws {SealError} also if a single byte was changed. The error never contains plaintext.
 */
export function openEnv(blobHex: string, recipientPrivateKeyHex: string): EnvPair[] {
  const secret = hexToBytes(recipientPrivateKeyHex);
  if (secret?.length !== KEY_BYTES)
    throw new SealError('private_key_invalid', 'The recipient key must be 32 bytes of hex.');
  const blob = hexToBytes(blobHex);
  if (!blob) throw new SealError('blob_not_hex', 'The encrypted environment is not valid hex.');
  if (blob.length < KEY_BYTES + IV_BYTES + TAG_BYTES)
    throw new SealError(
      'blob_too_short',
      `The encrypted environment has ${blob.length} bytes; the minimum is ${KEY_BYTES + IV_BYTES + TAG_BYTES}.`,
    );

  const shared = sharedSecret(secret, blob.subarray(0, KEY_BYTES), 'blob_low_order');
  const iv = blob.subarray(KEY_BYTES, KEY_BYTES + IV_BYTES);
  let plaintext: Uint8Array;
  try {
    plaintext = gcm(shared, iv).decrypt(blob.subarray(KEY_BYTES + IV_BYTES));
  } catch {
    throw new SealError(
      'blob_not_for_this_key',
      'The encrypted environment was created for another key or modified in transit.',
    );
  }
  return parsePlaintext(plaintext);
}

function parsePlaintext(plaintext: Uint8Array): EnvPair[] {
  // No cause is attached, because JSON errors quote the text they fail on.
  const malformed = () =>
    new SealError('blob_malformed', 'The decrypted environment is not a list of keys and values.');
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plaintext));
  } catch {
    throw malformed();
  }
  if (typeof parsed !== 'object' || parsed === null || !('env' in parsed)) throw malformed();
  if (!Array.isArray(parsed.env)) throw malformed();
  return parsed.env.map((item: unknown) => {
    if (typeof item !== 'object' || item === null) throw malformed();
    const { key, value } = item as { key?: unknown; value?: unknown };
    if (typeof key !== 'string' || typeof value !== 'string') throw malformed();
    return { key, value };
  });
}
