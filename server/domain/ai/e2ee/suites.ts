import {
  createCipheriv,
  createDecipheriv,
  createECDH,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  randomBytes,
} from 'node:crypto';

/** The cipher suites of E2EE v2 (aci/1 extension, §4). Keys are raw bytes. */
export interface Suite {
  algo: 'x25519-aes-256-gcm-hkdf-sha256' | 'secp256k1-aes-256-gcm-hkdf-sha256';
  info: string;
  /** Bytes of a public key in an encrypted value. */
  key_bytes: number;
  /** A key pair whose private key is this seed; without one, a new pair. */
  pair(seed?: Uint8Array): KeyPair;
  /** Reads a public key of a header, without `0x`. @returns null if it isn't one */
  publicKey(bytes: Uint8Array): Buffer | null;
}

export interface KeyPair {
  public_key: Buffer;
  /** @throws if the public key isn't valid */
  agree(public_key: Uint8Array): Buffer;
}

/** DER before the 32 bytes of an X25519 key (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b656e04220420', 'hex');
const SPKI = Buffer.from('302a300506032b656e032100', 'hex');

const x25519PublicKey = (bytes: Uint8Array) =>
  createPublicKey({ key: Buffer.concat([SPKI, bytes]), format: 'der', type: 'spki' });

export const X25519: Suite = {
  algo: 'x25519-aes-256-gcm-hkdf-sha256',
  info: 'aci.e2ee.v2.x25519',
  key_bytes: 32,
  pair(seed = randomBytes(32)) {
    const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
    return {
      public_key: createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32),
      // Rejects points of small order, whose secret anyone knows.
      agree: (public_key) => diffieHellman({ privateKey, publicKey: x25519PublicKey(public_key) }),
    };
  },
  publicKey: (bytes) => (bytes.length === 32 ? Buffer.from(bytes) : null),
};

export const SECP256K1: Suite = {
  algo: 'secp256k1-aes-256-gcm-hkdf-sha256',
  info: 'aci.e2ee.v2.secp256k1',
  key_bytes: 65,
  pair(seed) {
    const ecdh = createECDH('secp256k1');
    if (seed) ecdh.setPrivateKey(seed);
    else ecdh.generateKeys();
    return { public_key: ecdh.getPublicKey(), agree: (public_key) => ecdh.computeSecret(public_key) };
  },
  publicKey(bytes) {
    const key = bytes.length === 64 ? Buffer.concat([Buffer.of(4), bytes]) : Buffer.from(bytes);
    return key.length === 65 && key[0] === 4 ? key : null;
  },
};

const IV_BYTES = 12;
const TAG_BYTES = 16;

const keyOf = (suite: Suite, secret: Uint8Array) =>
  Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), suite.info, 32));

/** Lowercase hex of ephemeral key, IV, ciphertext and tag. @throws if the recipient's key isn't a point of the curve */
export function sealField(suite: Suite, recipient: Uint8Array, text: string, aad: string): string {
  const ephemeral = suite.pair();
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(suite, ephemeral.agree(recipient)), iv);
  cipher.setAAD(Buffer.from(aad));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([ephemeral.public_key, iv, sealed, cipher.getAuthTag()]).toString('hex');
}

/** Whether a text has the form of an encrypted value. */
export const isSealed = (suite: Suite, text: string): boolean =>
  text.length >= 2 * (suite.key_bytes + IV_BYTES + TAG_BYTES) &&
  text.length % 2 === 0 &&
  /^[0-9a-f]+$/i.test(text);

/**
 * Whether a plain text was meant to be sealed: it is one word that starts like a hexadecimal key, but was cut,
 * changed or given a prefix. A bare hash of 64 digits counts as text.
 */
export const isMalformed = (text: string): boolean => /^\s*(0x)?[0-9a-f]{64}\S+\s*$/i.test(text);

/** @throws if it was encrypted to another key or for another place, changed, or isn't UTF-8 */
export function openField(suite: Suite, own: KeyPair, hex: string, aad: string): string {
  const bytes = Buffer.from(hex, 'hex');
  const iv_at = suite.key_bytes;
  const key = keyOf(suite, own.agree(bytes.subarray(0, iv_at)));
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(iv_at, iv_at + IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(aad));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const opened = [decipher.update(bytes.subarray(iv_at + IV_BYTES, -TAG_BYTES)), decipher.final()];
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(opened));
}
