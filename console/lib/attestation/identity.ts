// Values derived from quote and event log (dstack's attestation and mr_config modules). All hex lower case.

import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8 } from '../bytes';
import { canonicalJson } from '../composeHash';
import type { Quote } from './quote';

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);
const bytesOf = (hex: string): Uint8Array => hexToBytes(hex) ?? new Uint8Array(0);

export function mrAggregated(quote: Quote): string {
  const owners = [quote.mrConfigId, quote.mrOwner, quote.mrOwnerConfig];
  const more = owners.every(isZero) ? [] : owners;
  return bytesToHex(sha256(concatBytes(quote.mrtd, ...quote.rtmrs, ...more)));
}

/** `keyProviderInfo` is the payload of the key-provider event, hex; empty when there is none. */
export function mrSystem(quote: Quote, keyProviderInfo: string | undefined): string {
  const provider = keyProviderInfo ? sha256(bytesOf(keyProviderInfo)) : new Uint8Array(32);
  return bytesToHex(sha256(concatBytes(quote.mrtd, ...quote.rtmrs.slice(0, 3), provider)));
}

/** What a guest from 0.5.6 on is known by: SHA-256 of the PPID in the PCK certificate. */
export const deviceId = (ppid: string): string => bytesToHex(sha256(bytesOf(ppid)));

/** What a guest up to 0.5.5 is known by: SHA-256 of the user data in the quote's header. */
export const legacyDeviceId = (quote: Quote): string => bytesToHex(sha256(quote.userData));

/** SHA-256 of nothing: what guests from 0.5.6 on report as their device id, and so no device at all. */
export const NO_DEVICE_ID = bytesToHex(sha256(new Uint8Array(0)));

export interface KeyProvider {
  name: string;
  /** Hex: SPKI of the KMS root key, or the measurement of a sealing provider. */
  id: string;
}

/** The payload of the key-provider event, or null when it is not what dstack writes. */
export function parseKeyProvider(payload: string): KeyProvider | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(payload));
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    const { name, id } = value as Readonly<Record<string, unknown>>;
    if (typeof name !== 'string' || typeof id !== 'string' || name.length > 32) return null;
    return /^[0-9a-f]*$/i.test(id) && id.length % 2 === 0 ? { name, id: id.toLowerCase() } : null;
  } catch {
    return null;
  }
}

/** What an app's registers of configuration are made from. */
export interface AppIdentity {
  composeHash: string;
  appId: string;
  instanceId: string;
  keyProvider: KeyProvider;
  gpuPolicyHash: string | undefined;
  initScriptHashes: readonly string[];
}

/** dstack's word for a provider in its configuration, and its number there. */
const KINDS: Readonly<Record<string, { kind: string; byte: number }>> = {
  none: { kind: 'none', byte: 0 },
  'local-sgx': { kind: 'local', byte: 1 },
  local: { kind: 'local', byte: 1 },
  kms: { kind: 'kms', byte: 2 },
  tpm: { kind: 'tpm', byte: 3 },
};

const register = (version: number, hash: Uint8Array): string =>
  bytesToHex(concatBytes(Uint8Array.of(version), hash, new Uint8Array(15)));

const mrConfigV1 = (composeHash: string): string => register(1, bytesOf(composeHash));

function mrConfigV2(app: AppIdentity, providerId: string): string | null {
  const kind = KINDS[app.keyProvider.name];
  if (!kind) return null;
  const parts = [bytesOf(app.composeHash), bytesOf(app.appId), Uint8Array.of(kind.byte), bytesOf(providerId)];
  return register(2, keccak_256(concatBytes(...parts)));
}

/** `document` is hashed as it is, to the byte. */
export const mrConfigV3 = (document: string): string =>
  register(3, sha256(concatBytes(utf8('dstack-mr-config-v3:'), Uint8Array.of(0), utf8(document))));

/** Every document of MrConfig V3 a host may have written for this app: what it may leave out, left out or not. */
function v3Documents(app: AppIdentity): string[] {
  const kind = KINDS[app.keyProvider.name];
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

/** What the register may hold for this app in the given form (its first byte). */
export function configRegisters(version: number, app: AppIdentity): (string | null)[] {
  if (version === 1) return [mrConfigV1(app.composeHash)];
  if (version === 2) return [mrConfigV2(app, app.keyProvider.id), mrConfigV2(app, '')];
  return version === 3 ? v3Documents(app).map(mrConfigV3) : [];
}

/** Whether what a MrConfig V3 document names is what the event log says; it may leave out all but the compose hash. */
export function documentFits(document: string, app: AppIdentity): boolean {
  let named: unknown;
  try {
    named = JSON.parse(document);
  } catch {
    return false;
  }
  if (typeof named !== 'object' || named === null) return false;
  const values = named as Readonly<Record<string, unknown>>;
  const expected: Readonly<Record<string, string | undefined>> = {
    app_id: app.appId,
    key_provider: KINDS[app.keyProvider.name]?.kind,
    key_provider_id: app.keyProvider.id,
    instance_id: app.instanceId,
    gpu_policy_hash: app.gpuPolicyHash,
  };
  const scripts = values.init_script_hashes ?? app.initScriptHashes;
  return (
    values.version === 3 &&
    values.compose_hash === app.composeHash &&
    Object.entries(expected).every(([name, value]) => values[name] === undefined || values[name] === value) &&
    JSON.stringify(scripts) === JSON.stringify(app.initScriptHashes)
  );
}
