import { canonicalJson } from '../../../../console/lib/compose/composeHash';
import type { Seal } from '../../core/seal';
import { AiError, type AiErrorType } from '../aiError';
import { SECP256K1, X25519, type KeyPair, type Suite } from './suites';

/** Encryption of prompts and answers between client and gateway: E2EE v2, an extension of aci/1. */

export const E2EE_VERSION = '2';
/** Seconds that a request's timestamp may differ from this server's clock. */
export const WINDOW_SECONDS = 300;

const HEADERS = [
  'x-e2ee-version',
  'x-client-pub-key',
  'x-model-pub-key',
  'x-e2ee-nonce',
  'x-e2ee-timestamp',
] as const;

export interface E2eeKey {
  suite: Suite;
  key_id: string;
  pair: KeyPair;
}

/** The values that a request's headers agree on. */
export interface Channel {
  key: E2eeKey;
  client_key: Buffer;
  /** As sent. */
  nonce: string;
  timestamp: number;
}

/**
 * The gateway's keys, derived from the server's secret, so all processes of an installation have the same ones.
 * During a rotation, keys of both secrets are accepted but only the first one's are published: a process not
 * restarted yet doesn't know the new secret, and one without the old secret can't decrypt with it.
 */
export function e2eeKeys(seal: Pick<Seal, 'sign' | 'accepted'>): Record<'published' | 'accepted', E2eeKey[]> {
  const suites = [
    { suite: X25519, name: 'e2ee-x25519' },
    { suite: SECP256K1, name: 'e2ee-secp256k1' },
  ];
  const derived = (suite: Suite, name: string, mac: string): E2eeKey => {
    const pair = suite.pair(Buffer.from(mac, 'base64url').subarray(0, 32));
    return { suite, key_id: `${name}-${pair.public_key.toString('hex').slice(0, 16)}`, pair };
  };
  return {
    published: suites.map(({ suite, name }) => derived(suite, name, seal.sign('ai-e2ee', `${name}-1`))),
    accepted: suites.flatMap(({ suite, name }) =>
      seal.accepted('ai-e2ee', `${name}-1`).map((mac) => derived(suite, name, mac)),
    ),
  };
}

export const e2eeError = (type: AiErrorType & `e2ee_${string}`, text: string, param: string | null = null) =>
  new AiError(400, type, null, text, { param });

/**
 * Reads the headers of a request. @returns null if it isn't encrypted
 * @throws {AiError} 400 unless the headers are complete and valid
 */
export function readChannel(
  header: (name: string) => string | undefined,
  keys: readonly E2eeKey[],
  now: Date,
): Channel | null {
  const given = HEADERS.map((name) => header(name)?.trim());
  if (given.every((value) => value === undefined)) return null;
  const missing = HEADERS.filter((_, index) => !given[index]);
  const [version, client = '', model = '', nonce = '', timestamp = ''] = given;
  if (header('x-signing-algo') !== undefined || (version !== undefined && version !== E2EE_VERSION))
    throw e2eeError(
      'e2ee_invalid_version',
      'This gateway only supports E2EE version 2. Send X-E2EE-Version: 2 and no X-Signing-Algo.',
    );
  if (missing.length > 0) throw e2eeError('e2ee_header_missing', `Missing headers: ${missing.join(', ')}.`);
  const key = keys.find(({ suite, pair }) => keyOf(suite, model)?.equals(pair.public_key));
  if (!key)
    throw e2eeError(
      'e2ee_model_key_mismatch',
      'X-Model-Pub-Key is not a key of this gateway. Use one of e2ee_public_keys from GET /v1/aci/attestation.',
    );
  const client_key = keyOf(key.suite, client);
  if (!client_key || !isOnCurve(key, client_key))
    throw e2eeError('e2ee_invalid_public_key', `X-Client-Pub-Key is not a key for ${key.suite.algo}.`);
  if (!/^[0-9a-f]{64}$/i.test(nonce))
    throw e2eeError('e2ee_invalid_nonce', 'X-E2EE-Nonce must be 32 random bytes as 64 hexadecimal digits.');
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : NaN;
  // Also false for NaN.
  if (!(Math.abs(now.getTime() / 1000 - seconds) <= WINDOW_SECONDS))
    throw e2eeError(
      'e2ee_invalid_timestamp',
      `X-E2EE-Timestamp must be the time in Unix seconds. It may differ from this server's clock (${Math.floor(now.getTime() / 1000)}) by ${WINDOW_SECONDS}.`,
    );
  return { key, client_key, nonce, timestamp: seconds };
}

function keyOf(suite: Suite, text: string): Buffer | null {
  const hex = text.replace(/^0x/i, '');
  return /^([0-9a-f]{2}){1,65}$/i.test(hex) ? suite.publicKey(Buffer.from(hex, 'hex')) : null;
}

function isOnCurve({ suite }: E2eeKey, key: Buffer): boolean {
  try {
    suite.pair().agree(key);
    return true;
  } catch {
    return false;
  }
}

interface Place {
  model: string;
  /** Member names and indexes from the root, such as `messages.0.content`. */
  field: string;
}

const common = ({ key, nonce, timestamp }: Channel, { model, field }: Place) => ({
  algo: key.suite.algo,
  model,
  field,
  nonce,
  ts: timestamp,
});

/** Binds an encrypted value to its place in a request (§6). */
export const requestAad = (channel: Channel, place: Place): string =>
  canonicalJson({ ...common(channel, place), purpose: 'aci.e2ee.request.v2' });

/** Binds an encrypted value to its place in an answer. @param place.id of the answer, empty if it has none */
export const responseAad = (channel: Channel, place: Place & { id: string }): string =>
  canonicalJson({ ...common(channel, place), id: place.id, purpose: 'aci.e2ee.response.v2' });
