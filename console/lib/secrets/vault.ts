/*
 * A user's vault: copies of the secrets they typed, so that one can be edited without retyping the others. An
 * X25519 key pair is generated here; the private key leaves this browser only wrapped by a passphrase or
 * passkey, so the server can't decrypt what it stores. Encrypting a copy needs only the public key.
 */
import { gcm } from '@noble/ciphers/aes.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { bytesToHex, concatBytes, hexToBytes, utf8 } from '../bytes';
import type { EnvPair } from '../compose/envRules';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 1;
/** OWASP Password Storage Cheat Sheet, PBKDF2-HMAC-SHA-256. */
export const PASSPHRASE_ITERATIONS = 600_000;
/** At least as long as an account password, because anyone who steals the database can guess offline. */
export const PASSPHRASE_MIN = 12;

export type VaultErrorCode = 'wrong_key' | 'damaged' | 'low_order' | 'not_for_this_app';

/** `message` may be shown to users; it never contains a value or key material. */
export class VaultError extends Error {
  readonly code: VaultErrorCode;
  constructor(code: VaultErrorCode, message: string) {
    super(message);
    this.name = 'VaultError';
    this.code = code;
  }
}

export interface VaultKeys {
  /** hex, 32 bytes */
  public_key: string;
  private_key: Uint8Array;
}

export const randomSalt = (): string => bytesToHex(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));

export function newVaultKeys(): VaultKeys {
  const private_key = x25519.utils.randomSecretKey();
  return { private_key, public_key: bytesToHex(x25519.getPublicKey(private_key)) };
}

/**
 * Derives a wrapping key from a passphrase, normalized to NFKC (RFC 8265 §4.2) so that it works on every
 * keyboard. Takes about half a second.
 */
export async function passphraseKey(
  passphrase: string,
  salt: string,
  iterations: number,
): Promise<Uint8Array> {
  const material = await crypto.subtle.importKey(
    'raw',
    utf8(passphrase.normalize('NFKC')) as BufferSource,
    'PBKDF2',
    false,
    ['deriveBits'],
  );
  const bits = await crypto.subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-256', salt: bytesOf(salt) as BufferSource, iterations },
    material,
    KEY_BYTES * 8,
  );
  return new Uint8Array(bits);
}

/**
 * Derives a wrapping key from a passkey: `prf` is the output of WebAuthn's PRF extension for the lock's salt.
 */
export async function passkeyKey(prf: Uint8Array, salt: string): Promise<Uint8Array> {
  const material = await crypto.subtle.importKey('raw', prf as BufferSource, 'HKDF', false, ['deriveBits']);
  const bits = await crypto.subtle.deriveBits(
    {
      name: 'HKDF',
      hash: 'SHA-256',
      salt: bytesOf(salt) as BufferSource,
      info: utf8('teehouse-vault-lock/v1') as BufferSource,
    },
    material,
    KEY_BYTES * 8,
  );
  return new Uint8Array(bits);
}

export function wrapKeys(keys: VaultKeys, wrapping_key: Uint8Array): string {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const wrapped = gcm(wrapping_key, iv, bytesOf(keys.public_key)).encrypt(keys.private_key);
  return bytesToHex(concatBytes(iv, wrapped));
}

/**
 * @throws {VaultError} `wrong_key`: another passphrase or passkey; `damaged`: the result doesn't match the
 * public key.
 */
export function unwrapKeys(public_key: string, wrapped_key: string, wrapping_key: Uint8Array): VaultKeys {
  const bytes = bytesOf(wrapped_key);
  let private_key: Uint8Array;
  try {
    private_key = gcm(wrapping_key, bytes.subarray(0, IV_BYTES), bytesOf(public_key)).decrypt(
      bytes.subarray(IV_BYTES),
    );
  } catch {
    throw new VaultError('wrong_key', 'This doesn’t unlock your vault.');
  }
  if (private_key.length !== KEY_BYTES || bytesToHex(x25519.getPublicKey(private_key)) !== public_key)
    throw new VaultError('damaged', 'The vault from the server doesn’t match its key.');
  return { public_key, private_key };
}

/** SHA-256 of an encrypted environment given as hex; identifies the environment a copy belongs to. */
export async function envDigest(encrypted_env: string): Promise<string> {
  const bytes = bytesOf(encrypted_env);
  return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as BufferSource)));
}

export interface CopyOf {
  /** 40 hex */
  app_id: string;
  /** Of the encrypted environment the copy belongs to, hex. */
  env_digest: string;
}

const boundTo = ({ app_id, env_digest }: CopyOf) => utf8(`teehouse-secret-copy/v1:${app_id}:${env_digest}`);

/**
 * Encrypts an environment for a vault: 01 ‖ ephemeral key[32] ‖ iv[12] ‖ ciphertext ‖ tag, as hex. The key is
 * HKDF-SHA-256 of the shared secret over both public keys; app and environment are bound as additional data.
 * @throws {VaultError}
 */
export async function sealCopy(env: readonly EnvPair[], public_key: string, of: CopyOf): Promise<string> {
  const ephemeral = x25519.utils.randomSecretKey();
  const ephemeral_public = x25519.getPublicKey(ephemeral);
  const key = await sharedKey(ephemeral, bytesOf(public_key), ephemeral_public, bytesOf(public_key));
  ephemeral.fill(0);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const plaintext = utf8(JSON.stringify({ env: env.map((pair) => ({ key: pair.key, value: pair.value })) }));
  const sealed = gcm(key, iv, boundTo(of)).encrypt(plaintext);
  return bytesToHex(concatBytes(new Uint8Array([VERSION]), ephemeral_public, iv, sealed));
}

/** @throws {VaultError} also if one byte was changed, or if it is another app's or environment's copy. */
export async function openCopy(ciphertext: string, keys: VaultKeys, of: CopyOf): Promise<EnvPair[]> {
  const bytes = bytesOf(ciphertext);
  if (bytes[0] !== VERSION || bytes.length < 1 + KEY_BYTES + IV_BYTES + TAG_BYTES)
    throw new VaultError('damaged', 'This page doesn’t support the copy’s format. Reload the page.');
  const ephemeral = bytes.subarray(1, 1 + KEY_BYTES);
  const iv = bytes.subarray(1 + KEY_BYTES, 1 + KEY_BYTES + IV_BYTES);
  const key = await sharedKey(keys.private_key, ephemeral, ephemeral, bytesOf(keys.public_key));
  let plaintext: Uint8Array;
  try {
    plaintext = gcm(key, iv, boundTo(of)).decrypt(bytes.subarray(1 + KEY_BYTES + IV_BYTES));
  } catch {
    throw new VaultError(
      'not_for_this_app',
      'The copy was created for another vault or app, or modified in transit.',
    );
  }
  return pairsOf(plaintext);
}

async function sharedKey(
  secret: Uint8Array,
  theirs: Uint8Array,
  ephemeral_public: Uint8Array,
  vault_public: Uint8Array,
): Promise<Uint8Array> {
  let shared: Uint8Array;
  try {
    shared = x25519.getSharedSecret(secret, theirs);
  } catch {
    // RFC 7748 §6.1: a low-order point, which would let anyone decrypt it.
    throw new VaultError('low_order', 'The vault’s or copy’s key is invalid.');
  }
  const material = await crypto.subtle.importKey('raw', shared as BufferSource, 'HKDF', false, [
    'deriveBits',
  ]);
  shared.fill(0);
  const bits = await crypto.subtle.deriveBits(
    {
      name: 'HKDF',
      hash: 'SHA-256',
      salt: concatBytes(ephemeral_public, vault_public) as BufferSource,
      info: utf8('teehouse-secret-copy/v1') as BufferSource,
    },
    material,
    KEY_BYTES * 8,
  );
  return new Uint8Array(bits);
}

function bytesOf(hex: string): Uint8Array {
  const bytes = hexToBytes(hex);
  if (!bytes) throw new VaultError('damaged', 'The server’s response is not valid hex.');
  return bytes;
}

function pairsOf(plaintext: Uint8Array): EnvPair[] {
  // No cause is attached, because JSON errors quote the text they fail on.
  const damaged = () => new VaultError('damaged', 'The copy does not contain a list of names and values.');
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plaintext));
  } catch {
    throw damaged();
  }
  const env = (parsed as { env?: unknown } | null)?.env;
  if (!Array.isArray(env)) throw damaged();
  return env.map((pair: { key?: unknown; value?: unknown } | null) => {
    if (typeof pair?.key !== 'string' || typeof pair.value !== 'string') throw damaged();
    return { key: pair.key, value: pair.value };
  });
}
