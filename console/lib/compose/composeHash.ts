// app-compose.json, the file the guest measures. Its SHA-256 is the compose hash, so browser and server build
// identical bytes with this module and store the string they hashed.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hasLoneSurrogate, utf8, utf8Length } from '../bytes';
import { ownValue } from '../ownValue';
import { guestFieldsOf, needsManifest3, type GuestFields } from './guestFields';

/**
 * JSON with keys sorted recursively, compact, UTF-8 unescaped, NaN and Infinity as null: the same
 * text as `getComposeHash` of `@phala/cloud` hashes. (Like there, keys that look like array
 * indexes come first in number order, because JavaScript objects cannot hold them otherwise.)
 * @throws {TypeError} when the value has no JSON form (undefined, a function, a bigint).
 */
export function canonicalJson(value: unknown): string {
  const text: string | undefined = JSON.stringify(sortKeys(value));
  if (text === undefined) throw new TypeError('The value has no JSON form.');
  return text;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Dates and similar objects serialize themselves.
  if (prototype !== Object.prototype && prototype !== null) return value;
  const source = value as Record<string, unknown>;
  // Without a prototype, a key named __proto__ is plain data.
  const sorted = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(source).sort()) sorted[key] = sortKeys(ownValue(source, key));
  return sorted;
}

/** Lowercase hex without prefix; strings are hashed as UTF-8. */
export function sha256Hex(data: string | Uint8Array): string {
  return bytesToHex(sha256(typeof data === 'string' ? utf8(data) : data));
}

export type StorageFs = 'ext4' | 'zfs';

export interface AppComposeInput extends GuestFields {
  /** The CVM's name; clients may send "" intentionally. */
  name: string;
  /** The user's bytes, unchanged: never parsed and reserialized. */
  docker_compose_file: string;
  /** Omitted if empty, as in the published clients. */
  pre_launch_script?: string | undefined;
  /** In the client's order; the guest drops encrypted variables that aren't listed. */
  allowed_envs?: readonly string[] | undefined;
  kms_enabled?: boolean | undefined;
  gateway_enabled?: boolean | undefined;
  public_logs?: boolean | undefined;
  public_sysinfo?: boolean | undefined;
  public_tcbinfo?: boolean | undefined;
  secure_time?: boolean | undefined;
  storage_fs?: StorageFs | undefined;
}

/** app-compose.json. Names and meanings are dstack's. */
export interface AppCompose extends GuestFields {
  /** Guests accept version 3 only as text. */
  manifest_version: 2 | '3';
  name: string;
  runner: 'docker-compose' | 'nerdctl-compose';
  docker_compose_file: string;
  pre_launch_script?: string;
  allowed_envs: string[];
  features: string[];
  kms_enabled: boolean;
  gateway_enabled: boolean;
  tproxy_enabled: boolean;
  local_key_provider_enabled: false;
  no_instance_id: false;
  public_logs: boolean;
  public_sysinfo: boolean;
  public_tcbinfo: boolean;
  secure_time: boolean;
  storage_fs: StorageFs;
}

export class AppComposeError extends Error {
  readonly code: 'not_unicode';
  readonly field: 'name' | 'docker_compose_file' | 'pre_launch_script' | 'init_script' | 'allowed_envs';
  constructor(field: AppComposeError['field']) {
    super(`${field} contains an unpaired surrogate, which can’t be encoded as UTF-8 and hashed.`);
    this.name = 'AppComposeError';
    this.code = 'not_unicode';
    this.field = field;
  }
}

/**
 * The exact text of app-compose.json (`bytes`, to be stored and sent unchanged), its compose hash,
 * and the same content as an object. @throws {AppComposeError} for text without a UTF-8 form.
 */
export function buildAppCompose(input: AppComposeInput): {
  bytes: string;
  compose_hash: string;
  app_compose: AppCompose;
} {
  const { name, docker_compose_file, pre_launch_script, allowed_envs = [] } = input;
  if (hasLoneSurrogate(name)) throw new AppComposeError('name');
  if (hasLoneSurrogate(docker_compose_file)) throw new AppComposeError('docker_compose_file');
  if (hasLoneSurrogate(pre_launch_script ?? '')) throw new AppComposeError('pre_launch_script');
  if (allowed_envs.some(hasLoneSurrogate)) throw new AppComposeError('allowed_envs');

  const guest = guestFieldsOf(input);
  const scripts = [guest.init_script ?? []].flat();
  if (scripts.some(hasLoneSurrogate)) throw new AppComposeError('init_script');

  const kms = input.kms_enabled ?? true;
  const gateway = input.gateway_enabled ?? true;
  const app_compose: AppCompose = {
    ...guest,
    manifest_version: needsManifest3(guest) ? '3' : 2,
    name,
    runner: guest.runner ?? 'docker-compose',
    docker_compose_file,
    ...(pre_launch_script ? { pre_launch_script } : {}),
    allowed_envs: [...allowed_envs],
    // Guests read `flag OR old flag OR feature`, so all three must agree: otherwise a disabled gateway would
    // stay on.
    features: [...(kms ? ['kms'] : []), ...(gateway ? ['tproxy-net'] : [])],
    kms_enabled: kms,
    gateway_enabled: gateway,
    tproxy_enabled: gateway,
    local_key_provider_enabled: false,
    no_instance_id: false,
    public_logs: input.public_logs ?? true,
    public_sysinfo: input.public_sysinfo ?? true,
    public_tcbinfo: input.public_tcbinfo ?? true,
    secure_time: input.secure_time ?? false,
    storage_fs: input.storage_fs ?? 'zfs',
  };
  const bytes = canonicalJson(app_compose);
  return { bytes, compose_hash: sha256Hex(bytes), app_compose };
}

/** docker_compose_file and the scripts together, in UTF-8 bytes. */
const COMPOSE_LIMIT_BYTES = 204_800;

export function composeSize(
  docker_compose_file: string,
  pre_launch_script?: string | null,
  init_script: string | readonly string[] = [],
): { bytes: number; limit: number; fits: boolean } {
  const texts = [docker_compose_file, pre_launch_script ?? '', init_script].flat();
  const bytes = texts.reduce((sum, text) => sum + utf8Length(text), 0);
  return { bytes, limit: COMPOSE_LIMIT_BYTES, fits: bytes <= COMPOSE_LIMIT_BYTES };
}
