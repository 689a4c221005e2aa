// Accepts a KMS root key in the forms users have (PEM certificate or public key, or hex) and returns SPKI DER
// of a P-256 key in hex, which guests measure as the key provider's ID.

import { p256 } from '@noble/curves/nist.js';
import { bytesToHex, hexToBytes } from '../bytes';
import { DerError } from './x509/der';
import { parsePemChain, PemError } from './x509/pem';
import { P256_SPKI } from './x509/spki';

const MAX_CHARACTERS = 32_768;
const PUBLIC_KEY = /^-----BEGIN PUBLIC KEY-----\s+([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----$/;

export class KmsRootError extends Error {
  override name = 'KmsRootError';
}

/** @throws {KmsRootError} unless the point is on the curve. */
function fromPoint(point: Uint8Array): string {
  try {
    return P256_SPKI + p256.Point.fromBytes(point).toHex(false);
  } catch {
    throw new KmsRootError('This is not a point on the P-256 curve.');
  }
}

function fromSpki(spki: string): string {
  const point = spki.startsWith(P256_SPKI) ? hexToBytes(spki.slice(P256_SPKI.length)) : null;
  if (!point) throw new KmsRootError('This is not a P-256 public key (SPKI).');
  return fromPoint(point);
}

function fromPem(text: string): string {
  const body = PUBLIC_KEY.exec(text)?.[1];
  if (body !== undefined) {
    let binary: string;
    try {
      binary = atob(body.replaceAll(/\s/g, ''));
    } catch {
      throw new KmsRootError('The public key is not base64.');
    }
    return fromSpki(bytesToHex(Uint8Array.from(binary, (character) => character.charCodeAt(0))));
  }
  try {
    // The root is the last certificate of a chain.
    const root = parsePemChain(text).at(-1);
    if (root) return fromPoint(root.publicKey);
  } catch (error) {
    if (!(error instanceof PemError || error instanceof DerError)) throw error;
    throw new KmsRootError(`The certificate cannot be read: ${error.message}.`);
  }
  throw new KmsRootError('No certificate found.');
}

/**
 * Returns lowercase hex SPKI DER of the root key in `text`.
 * @throws {KmsRootError} whose message is a sentence.
 */
export function readKmsRoot(text: string): string {
  if (text.length > MAX_CHARACTERS) throw new KmsRootError('This is too long for a key or certificate.');
  const trimmed = text.trim();
  if (trimmed.startsWith('-----BEGIN')) return fromPem(trimmed);
  const hex = trimmed.replace(/^0x/i, '').toLowerCase();
  const bytes = hexToBytes(hex);
  // 33 bytes don't identify their curve: half of all secp256k1 keys would be accepted as P-256.
  if (bytes?.length === 65) return fromPoint(bytes);
  if (bytes?.length === 91) return fromSpki(hex);
  throw new KmsRootError(
    'A KMS root key is a P-256 key: a certificate or public key in PEM, or hex of 91 (SPKI) or 65 bytes.',
  );
}
