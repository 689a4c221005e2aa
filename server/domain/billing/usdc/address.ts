import { secp256k1 } from '@noble/curves/secp256k1.js';
import { HDKey } from '@scure/bip32';
import { publicKeyToAddress } from 'viem/accounts';
import { bytesToHex } from 'viem';

/** Whether a text is an extended public key, not a private one. */
export function isPublicKey(text: string): boolean {
  try {
    return HDKey.fromExtendedKey(text).privateKey === null;
  } catch {
    return false;
  }
}

/**
 * Returns the address of a child of an extended public key (BIP-32, not hardened), in lower case.
 * @throws RangeError for nonexistent children, about one in 2^127
 */
export function childAddress(xpub: string, child: number): string {
  const { publicKey } = HDKey.fromExtendedKey(xpub).deriveChild(child);
  if (!publicKey) throw new RangeError(`The key has no child ${child}.`);
  const uncompressed = secp256k1.Point.fromBytes(publicKey).toBytes(false);
  return publicKeyToAddress(bytesToHex(uncompressed)).toLowerCase();
}
