// Checks that an environment encryption key was issued by the KMS whose secp256k1 root key is pinned. Without
// this check, anyone able to answer the request could read the secrets. The published SDK only recovers the
// signer and leaves the comparison to its caller.

import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Provision } from '../../../generated/api/types.gen';
import { bytesToHex, concatBytes, hexToBytes, utf8 } from '../bytes';

export type KmsKeyErrorCode =
  | 'public_key_invalid'
  | 'app_id_invalid'
  | 'timestamp_invalid'
  | 'signature_invalid'
  | 'signature_recovery_id'
  | 'signature_too_old'
  | 'signature_from_future'
  | 'pinned_key_invalid'
  | 'signer_mismatch';

export class KmsKeyError extends Error {
  readonly code: KmsKeyErrorCode;
  constructor(code: KmsKeyErrorCode, message: string) {
    super(message);
    this.name = 'KmsKeyError';
    this.code = code;
  }
}

export interface SignedEnvKey {
  /** X25519 key, 32 bytes hex. */
  public_key: string;
  /** r ‖ s ‖ recovery id (0 or 1), 65 bytes hex. */
  signature: string;
  /** 20 bytes of hex, optionally prefixed with `0x` or `app_`. */
  app_id: string;
  /**
   * Unix seconds. Pass it with `signature_v1`, which covers it; omit it for the older `signature`, which has no
   * timestamp and can be replayed forever.
   */
  timestamp?: number | bigint | undefined;
}

/** The key of a fresh provision. The timestamped signature is preferred because it can't be replayed indefinitely. */
export function signedKeyOf(provision: Provision): SignedEnvKey | null {
  const {
    app_id,
    app_env_encrypt_pubkey: public_key,
    app_env_encrypt_pubkey_signature: signature,
    app_env_encrypt_pubkey_signature_v1: signature_v1,
    app_env_encrypt_pubkey_timestamp: timestamp,
  } = provision;
  if (app_id === null || public_key === null) return null;
  if (signature_v1 !== null && timestamp !== null)
    return { app_id, public_key, signature: signature_v1, timestamp };
  return signature === null ? null : { app_id, public_key, signature };
}

const DEFAULT_MAX_AGE_S = 300;
const FUTURE_SKEW_S = 60;

/** Returns the compressed secp256k1 key (66 hex digits) that made the signature. @throws {KmsKeyError} */
export function recoverEnvKeySigner(key: SignedEnvKey): string {
  const hash = keccak_256(signedMessage(key));
  const signature = hexToBytes(key.signature);
  const recoveryId = signature?.[64];
  if (signature?.length !== 65 || recoveryId === undefined)
    throw new KmsKeyError('signature_invalid', 'The KMS signature must be 65 bytes of hex.');
  if (recoveryId > 1)
    throw new KmsKeyError(
      'signature_recovery_id',
      `The KMS signature has recovery ID ${recoveryId}; a dstack KMS uses 0 or 1 (27 and 28 are Ethereum’s).`,
    );
  try {
    return secp256k1.Signature.fromBytes(signature.subarray(0, 64), 'compact')
      .addRecoveryBit(recoveryId)
      .recoverPublicKey(hash)
      .toHex(true);
  } catch {
    throw new KmsKeyError('signature_invalid', 'The KMS signature is invalid.');
  }
}

function signedMessage({ public_key, app_id, timestamp }: SignedEnvKey): Uint8Array {
  const key = hexToBytes(public_key);
  if (key?.length !== 32)
    throw new KmsKeyError('public_key_invalid', 'The encryption key must be 32 bytes of hex.');
  const app = hexToBytes(app_id.replace(/^app_/, ''));
  if (app?.length !== 20) throw new KmsKeyError('app_id_invalid', 'The app ID must be 20 bytes of hex.');
  return concatBytes(utf8('dstack-env-encrypt-pubkey:'), app, timestampBytes(timestamp), key);
}

/** Eight bytes big-endian, or empty for the older form. */
function timestampBytes(timestamp: SignedEnvKey['timestamp']): Uint8Array {
  if (timestamp === undefined) return new Uint8Array(0);
  const whole = typeof timestamp === 'bigint' || Number.isSafeInteger(timestamp);
  if (!whole || timestamp < 0 || BigInt(timestamp) >= 1n << 64n)
    throw new KmsKeyError('timestamp_invalid', 'The KMS signature’s timestamp is invalid.');
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(timestamp));
  return bytes;
}

/**
 * Returns the signer if it is a pinned key and, with a timestamp, the signature is at most `max_age_s` (300)
 * old and at most a minute in the future. `now` is Unix seconds.
 * @throws {KmsKeyError} otherwise
 */
export function verifyEnvKey(
  input: SignedEnvKey & {
    /** The KMS root key, compressed or not, hex with or without 0x; two while one replaces the other. */
    pinned_k256_pubkey: string | readonly string[];
    max_age_s?: number | undefined;
    now?: number | undefined;
  },
): string {
  const pins = [input.pinned_k256_pubkey].flat().map(compressed);
  const signer = recoverEnvKeySigner(input);
  if (!pins.includes(signer))
    throw new KmsKeyError(
      'signer_mismatch',
      `The encryption key was signed by ${signer}, not by the pinned KMS key ${pins.join(' or ')}. Nothing was encrypted.`,
    );
  if (input.timestamp !== undefined) {
    const age = (input.now ?? Date.now() / 1000) - Number(input.timestamp);
    const maxAge = input.max_age_s ?? DEFAULT_MAX_AGE_S;
    if (!(age <= maxAge))
      throw new KmsKeyError(
        'signature_too_old',
        `The KMS signature is ${Math.round(age)} s old; at most ${maxAge} s is accepted. Request a new one, or check this device’s clock.`,
      );
    if (!(age >= -FUTURE_SKEW_S))
      throw new KmsKeyError(
        'signature_from_future',
        `The KMS signature is dated ${Math.round(-age)} s in the future. Check this device’s clock.`,
      );
  }
  return signer;
}

function compressed(publicKeyHex: string): string {
  const bytes = hexToBytes(publicKeyHex);
  try {
    if (bytes) return secp256k1.Point.fromBytes(bytes).toHex(true);
  } catch {
    // falls through to the one message
  }
  throw new KmsKeyError('pinned_key_invalid', 'The pinned KMS key is not a secp256k1 public key.');
}

/** Signs like a KMS (65 bytes of hex, recovery ID 0 or 1), for the local teepod and for tests. */
export function signEnvKey(key: Omit<SignedEnvKey, 'signature'>, rootPrivateKeyHex: string): string {
  const secret = hexToBytes(rootPrivateKeyHex);
  if (secret?.length !== 32)
    throw new KmsKeyError('pinned_key_invalid', 'The KMS root key must be 32 bytes of hex.');
  const hash = keccak_256(signedMessage({ ...key, signature: '' }));
  // noble puts the recovery id first, the KMS puts it last.
  const recovered = secp256k1.sign(hash, secret, { prehash: false, format: 'recovered' });
  return bytesToHex(concatBytes(recovered.subarray(1), recovered.subarray(0, 1)));
}
