// ECDSA with WebCrypto: P-256 with SHA-256, the only signature algorithm in DCAP attestation, and P-384 with
// SHA-384, the only one in NVIDIA's.

import { concatBytes } from '../../bytes';
import { DerError, readDer, sequenceOf, TAG, unsignedOf } from './der';

/** A curve and the hash its PKI uses with it. */
export interface Curve {
  name: 'P-256' | 'P-384';
  oid: string;
  hash: 'SHA-256' | 'SHA-384';
  /** The signature algorithm's name and object identifier (RFC 5758 §3.2). */
  algorithm: string;
  algorithmOid: string;
  /** Bytes of one coordinate. */
  size: 32 | 48;
}

export const P256: Curve = {
  name: 'P-256',
  oid: '1.2.840.10045.3.1.7',
  hash: 'SHA-256',
  algorithm: 'ecdsa-with-SHA256',
  algorithmOid: '1.2.840.10045.4.3.2',
  size: 32,
};

export const P384: Curve = {
  name: 'P-384',
  oid: '1.3.132.0.34',
  hash: 'SHA-384',
  algorithm: 'ecdsa-with-SHA384',
  algorithmOid: '1.2.840.10045.4.3.3',
  size: 48,
};

/** False where WebCrypto is unavailable: browsers offer it only on https and localhost. */
export const hasWebCrypto = (): boolean => typeof globalThis.crypto?.subtle?.verify === 'function';

/**
 * Returns whether the owner of `publicKey` (uncompressed point, with or without its leading 04) made
 * `signature` (r ‖ s) of `data`. False for malformed input; never throws.
 */
export async function verifyEcdsa(
  curve: Curve,
  publicKey: Uint8Array,
  data: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const { name, hash, size } = curve;
  const point = publicKey.length === 2 * size ? concatBytes(Uint8Array.of(4), publicKey) : publicKey;
  if (point.length !== 2 * size + 1 || point[0] !== 4 || signature.length !== 2 * size) return false;
  try {
    // The copies are backed by an ArrayBuffer, as WebCrypto's types require.
    const algorithm = { name: 'ECDSA', namedCurve: name };
    const key = await crypto.subtle.importKey('raw', new Uint8Array(point), algorithm, false, ['verify']);
    return await crypto.subtle.verify(
      { name: 'ECDSA', hash },
      key,
      new Uint8Array(signature),
      new Uint8Array(data),
    );
  } catch {
    // The point is not on the curve.
    return false;
  }
}

export const verifyP256 = (
  publicKey: Uint8Array,
  data: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> => verifyEcdsa(P256, publicKey, data, signature);

/** Returns r ‖ s from the DER form in certificates (RFC 3279 §2.2.3). @throws {DerError} */
export function rawSignature(der: Uint8Array, { size }: Curve): Uint8Array {
  const parts = sequenceOf(readDer(der, TAG.sequence));
  if (parts.length !== 2) throw new DerError('a signature does not have two parts');
  const raw = new Uint8Array(2 * size);
  parts.forEach((part, i) => {
    const number = unsignedOf(part);
    if (number.length > size) throw new DerError('a part of a signature is longer than the curve');
    raw.set(number, size * (i + 1) - number.length);
  });
  return raw;
}
