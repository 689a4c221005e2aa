import { createHash } from 'node:crypto';
import { distinctPorts, portsOf } from '../../../console/lib/compose/portRanges';
import {
  analyzeCompose,
  isLoopback,
  type ComposeService as AnalyzedService,
} from '../../../console/lib/compose/composeFile';
import { problemCodes } from '../../../generated/api/permissions.gen';
import type { AppCompose } from '../../../generated/api/types.gen';
import { Problem } from '../core/problem';

export interface ComposeRevision {
  compose_hash: string;
  app_compose: string;
}

interface ComposeService {
  [key: string]: unknown;
  name: string;
  image: string | null;
  /** Published CVM ports, up to 200. */
  ports: number[];
}

interface Reach {
  name: string;
  image: string | null;
  /** Whether the file allows connections to outside addresses. */
  has_egress: boolean;
}

/** The wire facts of a revision's compose, without its text. */
export interface ComposeFacts {
  docker_compose_hash: string;
  /** Null without a script. */
  pre_launch_script_hash: string | null;
  services: ComposeService[];
  /** Reach of the same services. */
  reach: Reach[];
  /** Published TCP ports, ascending: those a gateway can route to. */
  ports: number[];
  gateway_enabled: boolean;
  secure_time: boolean;
  storage_fs: 'ext4' | 'zfs' | undefined;
  manifest_version: number;
  runner: string;
  features: string[];
  /** Up to 200 ports of all services, with their declarations. */
  published: PublishedEntry[];
}

/** One port of a `ports` entry. */
export interface PublishedEntry {
  service: string;
  /** Inside the container; null when a variable determines it. */
  container_port: number | null;
  /** On the CVM; null when it isn't fixed. */
  port: number | null;
  protocol: 'tcp' | 'udp';
  /** Line in the compose file where the service starts. */
  line: number;
  loopback: boolean;
}

const REMEMBERED = 2_000;
/** Characters. The slowest possible file of maximum size takes 10 s to parse. */
const MAX_INLINE = 16_384;
const MAX_SERVICES = 100;
const MAX_PORTS = 200;

// Keyed by compose hash, so an entry is never stale. Parsing YAML for every row of a list would cost more
// than the query.
const remembered = new Map<string, ComposeFacts>();

export function knownComposeFacts(compose_hash: string): ComposeFacts | undefined {
  const facts = remembered.get(compose_hash);
  if (!facts) return undefined;
  remembered.delete(compose_hash); // Moves it to the end: the first entries are the least recently used.
  remembered.set(compose_hash, facts);
  return facts;
}

/**
 * Parses a new file on the calling thread unless that may take long: a long file not passed to
 * `loadComposeFacts` before is shown without services.
 */
export function composeFacts(revision: ComposeRevision): ComposeFacts {
  const known = knownComposeFacts(revision.compose_hash);
  if (known) return known;
  const compose = parseAppCompose(revision.app_compose);
  const text = compose.docker_compose_file ?? '';
  if (text.length > MAX_INLINE) return factsOf(compose, []);
  return rememberComposeFacts(revision, analyzeCompose(text).services);
}

/** Loads the facts of new revisions; `analyze` parses their files off this thread. */
export async function loadComposeFacts(
  revisions: readonly ComposeRevision[],
  analyze: (text: string) => Promise<{ services: AnalyzedService[] }>,
): Promise<void> {
  // One at a time: a long list must not occupy the whole queue.
  for (const revision of revisions) {
    if (knownComposeFacts(revision.compose_hash)) continue;
    const text = parseAppCompose(revision.app_compose).docker_compose_file ?? '';
    // Revisions from older servers may exceed a limit; they are listed without services.
    const { services } = await analyze(text).catch((error: unknown) => {
      if (error instanceof Problem && error.code === problemCodes.COMPOSE_TOO_COMPLEX)
        return { services: [] };
      throw error;
    });
    rememberComposeFacts(revision, services);
  }
}

/** Stores an analysis result, so that nothing parses the file again. */
export function rememberComposeFacts(
  revision: ComposeRevision,
  services: readonly AnalyzedService[],
): ComposeFacts {
  const facts = factsOf(parseAppCompose(revision.app_compose), services);
  remembered.set(revision.compose_hash, facts);
  if (remembered.size > REMEMBERED) remembered.delete(remembered.keys().next().value ?? '');
  return facts;
}

/**
 * Returns app-compose.json as an object. Omits null members (older files have them), because clients accept
 * null for `salt` only; files without nulls, which are all we write, hash as before.
 */
export function parseAppCompose(app_compose: string): AppCompose {
  const parsed = JSON.parse(app_compose) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(parsed).filter(([key, value]) => value !== null || key === 'salt'),
  ) as unknown as AppCompose;
}

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

function factsOf(compose: AppCompose, found: readonly AnalyzedService[]): ComposeFacts {
  const text = compose.docker_compose_file ?? '';
  const shown = found.slice(0, MAX_SERVICES);
  const services = shown.map((service) => ({
    name: service.name,
    image: service.image,
    ports: publishedRanges(service)
      .flatMap((range) => portsOf(range, MAX_PORTS))
      .slice(0, MAX_PORTS),
  }));
  const features = compose.features ?? [];
  return {
    docker_compose_hash: sha256(text),
    pre_launch_script_hash: compose.pre_launch_script ? sha256(compose.pre_launch_script) : null,
    services,
    reach: shown.map(({ name, image, hasEgress }) => ({ name, image, has_egress: hasEgress })),
    ports: distinctPorts(shown.flatMap(publishedRanges), MAX_PORTS),
    // As guests read it: the flag, its old name, or the feature.
    gateway_enabled: Boolean(
      compose.gateway_enabled || compose.tproxy_enabled || features.includes('tproxy-net'),
    ),
    secure_time: compose.secure_time ?? false,
    storage_fs: compose.storage_fs,
    manifest_version: Number(compose.manifest_version) || 2,
    runner: compose.runner,
    features,
    published: publishedEntries(found),
  };
}

function publishedEntries(services: readonly AnalyzedService[]): PublishedEntry[] {
  const found: PublishedEntry[] = [];
  for (const service of services)
    for (const entry of service.ports) {
      const left = MAX_PORTS - found.length;
      if (left <= 0) return found;
      const targets = entry.target === null ? [null] : portsOf(entry.target, left);
      const { published, protocol, host_ip } = entry;
      found.push(
        ...targets.map((target, i): PublishedEntry => ({
          service: service.name.slice(0, 200),
          container_port: target,
          port: published === null ? null : published.first + i,
          protocol: protocol === 'udp' ? 'udp' : 'tcp',
          line: service.line,
          loopback: isLoopback(host_ip),
        })),
      );
    }
  return found;
}

/** Ports a gateway can route to: fixed TCP ports that don't listen on loopback only. */
const publishedRanges = ({ ports }: AnalyzedService) =>
  ports.flatMap(({ published, protocol, host_ip }) =>
    published === null || protocol !== 'tcp' || isLoopback(host_ip) ? [] : [published],
  );
