/** A CVM's app-compose.json, read but never rewritten: its exact bytes are hashed and measured. */
import { createHash } from 'node:crypto';
import { RpcError } from './wire';

export interface AppCompose {
  name: string;
  runner: string;
  docker_compose_file: string;
  pre_launch_script: string;
  allowed_envs: string[];
  kms_enabled: boolean;
  gateway_enabled: boolean;
  key_provider: string;
  public_logs: boolean;
  public_sysinfo: boolean;
  public_tcbinfo: boolean;
  no_instance_id: boolean;
  storage_fs: string;
}

export function composeHash(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** @throws {RpcError} if the guest couldn't read it. */
export function readAppCompose(source: string): AppCompose {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    throw new RpcError(`Invalid compose file: ${error instanceof Error ? error.message : 'not JSON'}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RpcError('Invalid compose file: expected an object');
  }
  const from = value as Record<string, unknown>;
  const text = (name: string, fallback = ''): string => {
    const item = from[name];
    if (item === undefined || item === null) return fallback;
    if (typeof item !== 'string') throw new RpcError(`Invalid compose file: ${name} must be a string`);
    return item;
  };
  const flag = (names: string[], fallback: boolean): boolean => {
    for (const name of names) {
      const item = from[name];
      if (typeof item === 'boolean') return item;
      if (item !== undefined && item !== null)
        throw new RpcError(`Invalid compose file: ${name} must be a boolean`);
    }
    return fallback;
  };
  const allowed = from['allowed_envs'] ?? [];
  if (!Array.isArray(allowed) || !allowed.every((item) => typeof item === 'string')) {
    throw new RpcError('Invalid compose file: allowed_envs must be a list of strings');
  }
  const kms = flag(['kms_enabled'], false);
  const local = flag(['local_key_provider_enabled'], false);
  return {
    name: text('name'),
    runner: text('runner', 'docker-compose'),
    docker_compose_file: text('docker_compose_file'),
    pre_launch_script: text('pre_launch_script'),
    allowed_envs: allowed as string[],
    kms_enabled: kms,
    gateway_enabled: flag(['gateway_enabled', 'tproxy_enabled'], false),
    // Overrides the booleans since 0.5.6.
    key_provider: text('key_provider', kms ? 'kms' : local ? 'local' : 'none'),
    public_logs: flag(['public_logs'], false),
    public_sysinfo: flag(['public_sysinfo'], false),
    public_tcbinfo: flag(['public_tcbinfo'], true),
    no_instance_id: flag(['no_instance_id'], false),
    storage_fs: text('storage_fs', 'zfs'),
  };
}
