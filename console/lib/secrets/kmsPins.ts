// KMS root keys the user pinned in this browser. They are never sent to or read from the server, so a server
// that swaps its KMS, or the key it has on record, is noticed here. Pins form a set rather than belonging to a
// KMS name, because names come from the server too.

import { secp256k1 } from '@noble/curves/secp256k1.js';
import { cutWhole } from '../texts/cutWhole';
import { readKmsRoot } from '../attestation/kmsRoot';
import { readJson } from '../attestation/json';
import { hexToBytes } from '../bytes';

/**
 * `env`: secp256k1, signs environment keys. `ca`: P-256, signs certificates and is measured as the key
 * provider.
 */
export type PinKind = 'env' | 'ca';

export interface KmsPin {
  kind: PinKind;
  /** Hex: 33 bytes compressed for `env`, SPKI DER for `ca`. */
  key: string;
  label: string;
  /** ISO time. */
  pinned_at: string;
}

export class PinError extends Error {
  override name = 'PinError';
}

export const MAX_PINS = 50;
export const MAX_LABEL = 80;
/** Key for `useStored`. */
export const PINS_STORE = 'kms-pins';

/**
 * Returns the key in canonical form. @throws {KmsRootError
 * PinError} whose message is a sentence.
 */
export function readPinKey(kind: PinKind, text: string): string {
  if (kind === 'ca') return readKmsRoot(text);
  try {
    const bytes = text.length <= 200 ? hexToBytes(text.trim()) : null;
    if (bytes) return secp256k1.Point.fromBytes(bytes).toHex(true);
  } catch {
    // falls through to the one message
  }
  throw new PinError('An environment root key is a secp256k1 public key: hex of 33 or 65 bytes.');
}

function pinOf(value: unknown): KmsPin {
  const { kind, key, label, pinned_at } = (
    typeof value === 'object' && value !== null ? value : {}
  ) as Readonly<Record<string, unknown>>;
  if ((kind !== 'env' && kind !== 'ca') || typeof key !== 'string') throw new PinError('');
  return {
    kind,
    key: readPinKey(kind, key),
    label: typeof label === 'string' ? cutWhole(label, MAX_LABEL) : '',
    pinned_at: typeof pinned_at === 'string' ? pinned_at.slice(0, 30) : '',
  };
}

/**
 * Parses this browser's stored pins. Null if unreadable: then nothing may be encrypted, because a lost pin must
 * not weaken protection.
 */
export function parsePins(stored: string): KmsPin[] | null {
  if (stored === '') return [];
  const json = readJson(stored.slice(0, 100_000));
  if ('fault' in json || !Array.isArray(json.value) || json.value.length > MAX_PINS) return null;
  try {
    return json.value.map(pinOf);
  } catch {
    return null;
  }
}

/** Adds a pin; an existing one keeps its position. @throws {PinError} if there are too many. */
export function withPin(pins: readonly KmsPin[], pin: KmsPin): KmsPin[] {
  if (pins.some(({ kind, key }) => kind === pin.kind && key === pin.key)) return [...pins];
  if (pins.length >= MAX_PINS) throw new PinError(`You can pin up to ${MAX_PINS} keys. Remove one first.`);
  return [...pins, pin];
}

/** A KMS's environment root keys, as a server states them. */
export interface StatedRoots {
  /** The one that the KMS presents. */
  k256_pubkey: string | null;
  /** All that are valid: two while the operator replaces it. A server of an older version names none. */
  valid_k256_pubkeys?: readonly string[];
}

/**
 * Returns the root keys whose signatures are valid, the one presented now first. If that isn't among the valid ones, the
 * statement contradicts itself, and only it is judged.
 */
export function statedRoots({ k256_pubkey, valid_k256_pubkeys = [] }: StatedRoots): string[] {
  if (k256_pubkey === null) return [];
  const isConsistent = valid_k256_pubkeys.includes(k256_pubkey);
  return [k256_pubkey, ...(isConsistent ? valid_k256_pubkeys.filter((key) => key !== k256_pubkey) : [])];
}

/** Returns the keys of one kind; undefined if none is pinned, so nothing is compared. */
export function pinnedKeys(pins: readonly KmsPin[], kind: PinKind): string[] | undefined {
  const keys = pins.filter((pin) => pin.kind === kind).map(({ key }) => key);
  return keys.length > 0 ? keys : undefined;
}

/** Returns whether `key`, as shown by a server, is pinned for its kind; null if none is pinned. */
export function isPinned(pins: readonly KmsPin[], kind: PinKind, key: string | null): boolean | null {
  const keys = pinnedKeys(pins, kind);
  if (!keys) return null;
  if (key === null) return false;
  try {
    return keys.includes(readPinKey(kind, key));
  } catch {
    return false;
  }
}
