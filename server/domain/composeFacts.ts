import { createHash } from 'node:crypto';
import { analyseCompose } from '../../console/lib/composeFile';
import type { AppCompose } from '../../generated/api/types.gen';

export interface ComposeService {
  [key: string]: unknown;
  name: string;
  image: string | null;
  /** Ports of the CVM it publishes. */
  ports: number[];
}

/** What the wire says of a revision's compose without carrying its text. */
export interface ComposeFacts {
  docker_compose_hash: string;
  services: ComposeService[];
  /** Published TCP ports, ascending: what a gateway can lead to. */
  ports: number[];
  gateway_enabled: boolean;
  secure_time: boolean;
  storage_fs: 'ext4' | 'zfs' | undefined;
  manifest_version: number;
  runner: string;
  features: string[];
}

const REMEMBERED = 5_000;
const MAX_SERVICES = 100;
const MAX_PORTS = 200;

// By compose hash, so an entry can never be stale: other bytes have another hash. Parsing YAML for every row of a list
// would cost more than the query.
const remembered = new Map<string, ComposeFacts>();

export function knownComposeFacts(compose_hash: string): ComposeFacts | undefined {
  const facts = remembered.get(compose_hash);
  if (!facts) return undefined;
  remembered.delete(compose_hash); // to the end: the first entries are the longest unused
  remembered.set(compose_hash, facts);
  return facts;
}

export function composeFacts(revision: { compose_hash: string; app_compose: string }): ComposeFacts {
  const known = knownComposeFacts(revision.compose_hash);
  if (known) return known;
  const facts = read(parseAppCompose(revision.app_compose));
  remembered.set(revision.compose_hash, facts);
  if (remembered.size > REMEMBERED) remembered.delete(remembered.keys().next().value ?? '');
  return facts;
}

/**
 * app-compose.json as an object. Null members (older files have them) are left out, because clients take null for
 * `salt` only; what stays hashes as before for files without nulls, which is all we write.
 */
export function parseAppCompose(app_compose: string): AppCompose {
  const parsed = JSON.parse(app_compose) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(parsed).filter(([key, value]) => value !== null || key === 'salt'),
  ) as unknown as AppCompose;
}

function read(compose: AppCompose): ComposeFacts {
  const text = compose.docker_compose_file ?? '';
  const services = analyseCompose(text)
    .services.slice(0, MAX_SERVICES)
    .map(({ name, image, ports }) => ({
      name,
      image,
      ports: ports.flatMap(({ published, protocol, host_ip }) =>
        published === null || protocol !== 'tcp' || isLoopback(host_ip) ? [] : [published],
      ),
    }));
  const features = compose.features ?? [];
  return {
    docker_compose_hash: createHash('sha256').update(text, 'utf8').digest('hex'),
    services,
    ports: [...new Set(services.flatMap(({ ports }) => ports))].sort((a, b) => a - b).slice(0, MAX_PORTS),
    // As guests read it: the flag, its old name, or the feature.
    gateway_enabled: Boolean(
      compose.gateway_enabled || compose.tproxy_enabled || features.includes('tproxy-net'),
    ),
    secure_time: compose.secure_time ?? false,
    storage_fs: compose.storage_fs,
    manifest_version: Number(compose.manifest_version) || 2,
    runner: compose.runner,
    features,
  };
}

const isLoopback = (host_ip: string | null) =>
  host_ip !== null && (host_ip.startsWith('127.') || host_ip === '::1');
