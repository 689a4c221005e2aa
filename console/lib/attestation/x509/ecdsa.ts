// ECDSA on P-256 with SHA-256 by WebCrypto, the only signature algorithm in DCAP attestation.

import { concatBytes } from '../../bytes';
import { DerError, readDer, sequenceOf, TAG, unsignedOf } from './der';

const P256 = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** False where WebCrypto is unavailable: browsers offer it only on https and localhost. */
export const hasWebCrypto = (): boolean => typeof globalThis.crypto?.subtle?.verify === 'function';

/**
 * Returns whether the owner of `publicKey` (uncompressed point, with or without its leading 04) made
 * `signature` (r ‖ s, 64 bytes) of `data`. False for malformed input; never throws.
 */
export async function verifyP256(
  publicKey: Uint8Array,
  data: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const point = publicKey.length === 64 ? concatBytes(Uint8Array.of(4), publicKey) : publicKey;
  if (point.length !== 65 || point[0] !== 4 || signature.length !== 64) return false;
  try {
    // The copies are backed by an ArrayBuffer, as WebCrypto's types require.
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

/** Returns r ‖ s from the DER form in certificates (RFC 3279 §2.2.3). @throws {DerError} */
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
