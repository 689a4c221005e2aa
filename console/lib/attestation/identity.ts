// Values derived from quote and event log (dstack's attestation and mr_config modules). All hex is lowercase.

import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8 } from '../bytes';
import { canonicalJson } from '../compose/composeHash';
import { readJson } from './json';
import type { Quote } from './quote';
import { ownValue } from '../ownValue';

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);
const bytesOf = (hex: string): Uint8Array => hexToBytes(hex) ?? new Uint8Array(0);

export function mrAggregated(quote: Quote): string {
  const owners = [quote.mrConfigId, quote.mrOwner, quote.mrOwnerConfig];
  const more = owners.every(isZero) ? [] : owners;
  return bytesToHex(sha256(concatBytes(quote.mrtd, ...quote.rtmrs, ...more)));
}

/** `keyProviderInfo` is the key-provider event's payload in hex; empty if there is none. */
export function mrSystem(quote: Quote, keyProviderInfo: string | undefined): string {
  const provider = keyProviderInfo ? sha256(bytesOf(keyProviderInfo)) : new Uint8Array(32);
  return bytesToHex(sha256(concatBytes(quote.mrtd, ...quote.rtmrs.slice(0, 3), provider)));
}

/** Device ID of guests since 0.5.6: SHA-256 of the PPID in the PCK certificate. */
export const deviceId = (ppid: string): string => bytesToHex(sha256(bytesOf(ppid)));

/** Device ID of guests up to 0.5.5: SHA-256 of the user data in the quote's header. */
export const legacyDeviceId = (quote: Quote): string => bytesToHex(sha256(quote.userData));

/** SHA-256 of an empty value, which guests since 0.5.6 report as device ID; not an identity. */
export const NO_DEVICE_ID = bytesToHex(sha256(new Uint8Array(0)));

export interface KeyProvider {
  name: string;
  /** Hex: SPKI of the KMS root key, or a sealing provider's measurement. */
  id: string;
}

/** Returns the key-provider event's payload, or null if it isn't in dstack's format. */
export function parseKeyProvider(payload: string): KeyProvider | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(payload));
    const json = readJson(text);
    if ('fault' in json || typeof json.value !== 'object' || json.value === null) return null;
    const { name, id } = json.value as Readonly<Record<string, unknown>>;
    if (typeof name !== 'string' || typeof id !== 'string' || name.length > 32) return null;
    return /^[0-9a-f]*$/i.test(id) && id.length % 2 === 0 ? { name, id: id.toLowerCase() } : null;
  } catch {
    return null;
  }
}

/** Inputs to an app's configuration register. */
export interface AppIdentity {
  composeHash: string;
  appId: string;
  instanceId: string;
  keyProvider: KeyProvider;
  gpuPolicyHash: string | undefined;
  initScriptHashes: readonly string[];
}

/** dstack's name and number for a provider in its configuration. */
const KINDS: Readonly<Record<string, { kind: string; byte: number }>> = {
  none: { kind: 'none', byte: 0 },
  'local-sgx': { kind: 'local', byte: 1 },
  local: { kind: 'local', byte: 1 },
  kms: { kind: 'kms', byte: 2 },
  tpm: { kind: 'tpm', byte: 3 },
};

/** Names come from the event log, so only own keys count. */
const kindOf = ({ name }: KeyProvider) => ownValue(KINDS, name);

const register = (version: number, hash: Uint8Array): string =>
  bytesToHex(concatBytes(Uint8Array.of(version), hash, new Uint8Array(15)));

const mrConfigV1 = (composeHash: string): string => register(1, bytesOf(composeHash));

function mrConfigV2(app: AppIdentity, providerId: string): string | null {
  const kind = kindOf(app.keyProvider);
  if (!kind) return null;
  const parts = [bytesOf(app.composeHash), bytesOf(app.appId), Uint8Array.of(kind.byte), bytesOf(providerId)];
  return register(2, keccak_256(concatBytes(...parts)));
}

/** `document` is hashed byte for byte. */
export const mrConfigV3 = (document: string): string =>
  register(3, sha256(concatBytes(utf8('dstack-mr-config-v3:'), Uint8Array.of(0), utf8(document))));

/**
 * Returns every MrConfig V3 document a host may have written for this app, with optional fields present or
 * omitted.
 */
function v3Documents(app: AppIdentity): string[] {
  const kind = kindOf(app.keyProvider);
  if (!kind) return [];
  const optional: Record<string, unknown>[] = [
    { app_id: app.appId },
    { key_provider_id: app.keyProvider.id },
    { instance_id: app.instanceId },
    ...(app.gpuPolicyHash ? [{ gpu_policy_hash: app.gpuPolicyHash }] : []),
    { init_script_hashes: app.initScriptHashes },
  ];
  const documents: string[] = [];
  for (let chosen = 0; chosen < 1 << optional.length; chosen++) {
    const picked = optional.filter((_, i) => (chosen & (1 << i)) !== 0);
    const base = { version: 3, compose_hash: app.composeHash, key_provider: kind.kind };
    documents.push(canonicalJson(Object.assign(base, ...picked)));
  }
  return documents;
}

/** Returns the register's possible values for this app in the given form (its first byte). */
export function configRegisters(version: number, app: AppIdentity): (string | null)[] {
  if (version === 1) return [mrConfigV1(app.composeHash)];
  if (version === 2) return [mrConfigV2(app, app.keyProvider.id), mrConfigV2(app, '')];
  return version === 3 ? v3Documents(app).map(mrConfigV3) : [];
}

/**
 * Returns why a MrConfig V3 document contradicts the event log, or null. All fields except the compose hash are
 * optional. Completes "The MrConfig document …".
 */
export function documentFault(document: string, app: AppIdentity): string | null {
  const json = readJson(document);
  if ('fault' in json) return json.fault;
  if (typeof json.value !== 'object' || json.value === null) return 'is not a JSON object';
  const values = json.value as Readonly<Record<string, unknown>>;
  const kind = kindOf(app.keyProvider)?.kind;
  const expected: Readonly<Record<string, string | undefined>> = {
    app_id: app.appId,
    key_provider: kind,
    key_provider_id: app.keyProvider.id,
    instance_id: app.instanceId,
    gpu_policy_hash: app.gpuPolicyHash,
  };
  const wrong = Object.entries(expected).find(([name, value]) => {
    const named = ownValue(values, name);
    return named !== undefined && named !== value;
  })?.[0];
  if (values.version !== 3) return 'does not have version 3';
  if (values.compose_hash !== app.composeHash) return 'has a different compose_hash than the event log';
  if (wrong !== undefined) return `has a different ${wrong} than the event log`;
  const scripts = values.init_script_hashes ?? app.initScriptHashes;
  const sameScripts =
    Array.isArray(scripts) &&
    scripts.length === app.initScriptHashes.length &&
    scripts.every((hash, i) => hash === app.initScriptHashes[i]);
  return sameScripts ? null : 'has different init_script_hashes than the event log';
}
