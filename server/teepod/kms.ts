/**
 * The KMS role: root keys, per-app environment keys and the two signatures over them, byte for byte like
 * dstack-kms, so that a browser verifies the local teepod with the code used in production.
 */
import { p256 } from '@noble/curves/nist.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { mkdir, readFile } from 'node:fs/promises';
import { writeDurable } from './durable';
import { RpcError } from './wire';

/** Salt of every dstack key derivation before the versioned guest API. */
const SALT = 'RATLS';
const SIGNED_PREFIX = 'dstack-env-encrypt-pubkey:';

/** PKCS#8 encoding of a P-256 key up to the scalar, and from there to the public point (RFC 5958, SEC 1). */
const PKCS8_HEAD = Buffer.from(
  '308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420',
  'hex',
);
const PKCS8_MIDDLE = Buffer.from('a144034200', 'hex');
const SPKI_HEAD = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');

export function p256Pkcs8(scalar: Uint8Array): Buffer {
  return Buffer.concat([PKCS8_HEAD, scalar, PKCS8_MIDDLE, p256.getPublicKey(scalar, false)]);
}

/** Derives a P-256 key by HKDF; the X25519 secret is the hash of its PKCS#8 encoding. */
export function deriveDhSecret(rootScalar: Uint8Array, context: Uint8Array[]): Uint8Array {
  const scalar = hkdf(sha256, rootScalar, Buffer.from(SALT), Buffer.concat(context), 32);
  return sha256(p256Pkcs8(scalar));
}

/** r ‖ s ‖ recovery id (0 or 1, not 27 or 28) over keccak-256. */
function signRecoverable(message: Uint8Array, key: Uint8Array): Buffer {
  const signed = Buffer.from(
    secp256k1.sign(keccak_256(message), key, { prehash: false, format: 'recovered' }),
  );
  return Buffer.concat([signed.subarray(1), signed.subarray(0, 1)]);
}

export interface EnvKeyReply {
  public_key: string;
  /** Over app ID and key; never expires. */
  signature: string;
  /** seconds since 1970 */
  timestamp: number;
  /** Over app ID, timestamp and key. */
  signature_v1: string;
}

export function signEnvKey(
  appId: Uint8Array,
  publicKey: Uint8Array,
  timestamp: number,
  k256: Uint8Array,
): EnvKeyReply {
  const prefix = Buffer.from(SIGNED_PREFIX);
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(timestamp));
  return {
    public_key: Buffer.from(publicKey).toString('hex'),
    signature: signRecoverable(Buffer.concat([prefix, appId, publicKey]), k256).toString('hex'),
    timestamp,
    signature_v1: signRecoverable(Buffer.concat([prefix, appId, time, publicKey]), k256).toString('hex'),
  };
}

export class Kms {
  readonly #ca: Uint8Array;
  readonly #k256: Uint8Array;

  constructor(ca: Uint8Array, k256: Uint8Array) {
    this.#ca = ca;
    this.#k256 = k256;
  }

  /** Root keys are created once. If they are lost, no sealed environment can be opened again. */
  static async open(dir: string): Promise<Kms> {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const path = join(dir, 'root.json');
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (text !== undefined) return Kms.#parse(text, path);
    const made = JSON.stringify({
      ca_p256: Buffer.from(p256.utils.randomSecretKey(randomBytes(48))).toString('hex'),
      k256: Buffer.from(secp256k1.utils.randomSecretKey(randomBytes(48))).toString('hex'),
    });
    await writeDurable(path, made, 0o600);
    return Kms.#parse(made, path);
  }

  static #parse(text: string, path: string): Kms {
    const { ca_p256, k256 } = JSON.parse(text) as { ca_p256?: unknown; k256?: unknown };
    const valid = (value: unknown): value is string =>
      typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
    // Never replaced silently: new keys would make every stored environment unreadable.
    if (!valid(ca_p256) || !valid(k256)) throw new Error(`${path} is damaged; restore it from a backup`);
    return new Kms(Buffer.from(ca_p256, 'hex'), Buffer.from(k256, 'hex'));
  }

  /** 33 bytes, compressed; clients pin it. */
  get k256PublicKey(): string {
    return Buffer.from(secp256k1.getPublicKey(this.#k256, true)).toString('hex');
  }

  /** DER SubjectPublicKeyInfo of the root CA key: the key provider ID in the event log. */
  get caSpki(): string {
    return Buffer.concat([SPKI_HEAD, p256.getPublicKey(this.#ca, false)]).toString('hex');
  }

  /**
   * Returns the X25519 private key of an app's environment. @throws {RpcError} unless given 20 bytes of hex.
   */
  envSecret(appId: string): Uint8Array {
    if (!/^[0-9a-f]{40}$/.test(appId)) throw new RpcError('Invalid app id: expected 20 bytes');
    return deriveDhSecret(this.#ca, [Buffer.from(appId, 'hex'), Buffer.from('env-encrypt-key')]);
  }

  envKey(appId: string, now = Date.now()): EnvKeyReply {
    const publicKey = x25519.getPublicKey(this.envSecret(appId));
    return signEnvKey(Buffer.from(appId, 'hex'), publicKey, Math.floor(now / 1000), this.#k256);
  }

  meta(): Record<string, unknown> {
    return {
      ca_cert: '',
      allow_any_upgrade: true,
      k256_pubkey: this.k256PublicKey,
      bootstrap_info: { ca_pubkey: this.caSpki, k256_pubkey: this.k256PublicKey, attestation: '' },
      is_dev: true,
      gateway_app_id: null,
      kms_contract_address: null,
      chain_id: null,
      app_auth_implementation: 'local teepod, no hardware TEE',
    };
  }
}
