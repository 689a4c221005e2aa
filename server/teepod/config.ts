/** The teepod's configuration. Only this file reads process.env in this program. */
import { resolve } from 'node:path';
import type { ChainContract } from './kms/keyServices';
import { DEFAULT_REGISTRIES, isRegistryEntry } from './engine/registries';

type EngineChoice = 'auto' | 'docker' | 'simulate';
type Listen = { path: string } | { host: string; port: number };

export interface TeepodConfig {
  /** State directory, used by one teepod at a time. */
  dir: string;
  listen: Listen;
  /** Bearer token for the whole HTTP surface; empty = open (only for a unix socket or loopback). */
  token: string;
  max_cvms: number;
  /** Informational, as on a real host: the control plane does the scheduling. */
  max_vcpu: number;
  max_memory_mb: number;
  engine: EngineChoice;
  /** How long a start waits for Docker: after a reboot, the teepod may start before it. */
  engine_wait_ms: number;
  gateway_listen: { host: string; port: number };
  /** Maximum concurrent boots; others wait. */
  parallel_boots: number;
  heartbeat_ms: number;
  restart_interval_ms: number;
  poll_ms: number;
  /** Names of the available OS images, newest first. */
  images: string[];
  /** Registries images may be pulled from; see engine/registries.ts. */
  registries: string[];
  /** The contract that a second KMS queries before releasing keys; null without one. */
  kms_contract: ChainContract | null;
  /** URL that the KMS queries before releasing keys; if null, every boot gets them. */
  kms_webhook: string | null;
}

/** @throws one Error that lists every mistake. */
export function readConfig(env: NodeJS.ProcessEnv): TeepodConfig {
  const mistakes: string[] = [];
  const number = (name: string, fallback: number, min: number, max: number): number => {
    const raw = env[name];
    if (raw === undefined || raw === '') return fallback;
    const value = Number(raw);
    if (!Number.isInteger(value) || value < min || value > max) {
      mistakes.push(`${name} must be a whole number from ${min} to ${max}`);
    }
    return value;
  };
  const dir = env['TEEPOD_DIR'] ?? '';
  if (!dir) mistakes.push('TEEPOD_DIR must be a directory');
  const engine = env['TEEPOD_ENGINE'] || 'auto';
  if (!isEngine(engine)) mistakes.push('TEEPOD_ENGINE must be auto, docker or simulate');
  const listen = parseListen(env['TEEPOD_LISTEN'] || '127.0.0.1:0');
  if (!listen) mistakes.push('TEEPOD_LISTEN must be unix:/path or host:port');
  const gateway = parseListen(env['TEEPOD_GATEWAY_LISTEN'] || '127.0.0.1:0');
  if (!gateway || 'path' in gateway) mistakes.push('TEEPOD_GATEWAY_LISTEN must be host:port');
  const registries = (env['TEEPOD_REGISTRIES'] || DEFAULT_REGISTRIES.join(','))
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter(Boolean);
  if (!registries.every(isRegistryEntry))
    mistakes.push('TEEPOD_REGISTRIES must be host names, optionally with a port, *.domain or *');
  const kms_contract = readContract(env, mistakes);
  const kms_webhook = env['TEEPOD_KMS_WEBHOOK'] || null;
  if (kms_webhook !== null && !URL.canParse(kms_webhook)) mistakes.push('TEEPOD_KMS_WEBHOOK must be a URL');
  const config = {
    dir: resolve(dir),
    listen: listen ?? { host: '127.0.0.1', port: 0 },
    token: env['TEEPOD_TOKEN'] ?? '',
    max_cvms: number('TEEPOD_MAX_CVMS', 16, 1, 10_000),
    max_vcpu: number('TEEPOD_VCPU', 20, 1, 100_000),
    max_memory_mb: number('TEEPOD_MEMORY_MB', 100_000, 1, 100_000_000),
    engine: isEngine(engine) ? engine : ('auto' as const),
    engine_wait_ms: number('TEEPOD_ENGINE_WAIT_MS', 30_000, 10, 600_000),
    gateway_listen: gateway && 'host' in gateway ? gateway : { host: '127.0.0.1', port: 0 },
    parallel_boots: number('TEEPOD_PARALLEL_BOOTS', 4, 1, 64),
    heartbeat_ms: number('TEEPOD_HEARTBEAT_MS', 60_000, 10, 600_000),
    restart_interval_ms: number('TEEPOD_RESTART_INTERVAL_MS', 20_000, 10, 600_000),
    poll_ms: number('TEEPOD_POLL_MS', 2_000, 10, 60_000),
    images: (env['TEEPOD_IMAGES'] || 'dstack-local-0.6.0,dstack-local-dev-0.6.0')
      .split(',')
      .map((name) => name.trim()),
    registries,
    kms_contract,
    kms_webhook,
  };
  if (mistakes.length > 0) throw new Error(mistakes.join('; '));
  return config;
}

function readContract(env: NodeJS.ProcessEnv, mistakes: string[]): ChainContract | null {
  const address = (env['TEEPOD_KMS_CONTRACT'] ?? '').toLowerCase();
  if (address === '') return null;
  const chain_id = Number(env['TEEPOD_KMS_CHAIN_ID'] ?? '');
  const rpc_urls = (env['TEEPOD_KMS_RPC_URLS'] ?? '').split(',').filter(Boolean);
  if (!isAddress(address)) mistakes.push('TEEPOD_KMS_CONTRACT must be 0x and 40 hex digits');
  if (!Number.isInteger(chain_id) || chain_id < 1) mistakes.push('TEEPOD_KMS_CHAIN_ID must be a chain ID');
  if (rpc_urls.length === 0 || !rpc_urls.every((url) => URL.canParse(url)))
    mistakes.push('TEEPOD_KMS_RPC_URLS must be URLs separated by commas');
  return isAddress(address) ? { address, chain_id, rpc_urls } : null;
}

const isAddress = (text: string): text is `0x${string}` => /^0x[0-9a-f]{40}$/.test(text);

function isEngine(value: string): value is EngineChoice {
  return value === 'auto' || value === 'docker' || value === 'simulate';
}

function parseListen(value: string): Listen | undefined {
  if (value.startsWith('unix:')) {
    const path = value.slice('unix:'.length);
    return path ? { path: resolve(path) } : undefined;
  }
  const match = /^(?:tcp:)?(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(value);
  const port = Number(match?.[2]);
  return match?.[1] && port <= 65_535 ? { host: match[1].replace(/^\[|\]$/g, ''), port } : undefined;
}
