// ECDSA on P-256 with SHA-256 by WebCrypto: the only signature there is in DCAP attestation.

import { concatBytes } from '../bytes';
import { DerError, readDer, sequenceOf, TAG, unsignedOf } from './der';

const P256 = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** False where WebCrypto is missing: browsers offer it on https and localhost only. */
export const hasWebCrypto = (): boolean => typeof globalThis.crypto?.subtle?.verify === 'function';

/**
 * Whether `signature` (r ‖ s, 64 bytes) of `data` was made by the owner of `publicKey` (uncompressed point with or
 * without its leading 04). False for anything malformed, never an error.
 */
export async function verifyP256(
  publicKey: Uint8Array,
  data: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const point = publicKey.length === 64 ? concatBytes(Uint8Array.of(4), publicKey) : publicKey;
  if (point.length !== 65 || point[0] !== 4 || signature.length !== 64) return false;
  try {
    // The copies are typed as backed by an ArrayBuffer, which WebCrypto's types insist on.
    const key = await crypto.subtle.importKey('raw', new Uint8Array(point), P256, false, ['verify']);
    return await crypto.subtle.verify(
      { name: 'ECDSA', hash: 'SHA-256' },
      key,
      new Uint8Array(signature),
      new Uint8Array(data),
    );
  } catch {
    // The point is not on the curve.
    return false;
  }
}

/** r ‖ s from the DER form that certificates use (RFC 3279 §2.2.3). @throws {DerError} */
export function rawSignature(der: Uint8Array): Uint8Array {
  const parts = sequenceOf(readDer(der, TAG.sequence));
  if (parts.length !== 2) throw new DerError('a signature does not have two parts');
  const raw = new Uint8Array(64);
  parts.forEach((part, i) => {
    const number = unsignedOf(part);
    if (number.length > 32) throw new DerError('a part of a signature is longer than the curve');
    raw.set(number, 32 * (i + 1) - number.length);
  });
  return raw;
}
