/** Turns an untrusted Compose file into what the local teepod runs, or one sentence why it can't. */
import { readConfigs } from './configs';
import { Interpolation, type Environment } from './interpolate';
import type { CvmLimits } from './limits';
import type { PortPlan } from './ports';
import { REFUSED_TOP_LEVEL } from './refusals';
import { own, readService, type ServicePlan } from './service';
import { flag, map, NOT_SUPPORTED, onlyKeys, quoted, refuse, text } from './values';
import { ComposeError, emptyMap, readYaml, type Out, type Yaml, type YamlMap } from './yaml';

export { ComposeError } from './yaml';
export type { CvmLimits } from './limits';
export type { PortPlan } from './ports';

export interface ComposePlan {
  services: ServicePlan[];
  networks: { [name: string]: { internal: boolean } };
  volumes: string[];
  /** Text of each config, by name. */
  configs: Record<string, string>;
  ports: PortPlan[];
  /** For the boot log: ignored options and variables without a value. Never contains a value. */
  notes: string[];
}

const MAX_SERVICES = 32;
const MAX_CONTAINERS = 64;
const MAX_PUBLISHED = 128;
const MAX_NETWORKS = 8;
const MAX_VOLUMES = 32;

/** @throws {ComposeError} naming service, key and reason. */
export function planCompose(source: string, env: Environment, limits: CvmLimits): ComposePlan {
  const notes: string[] = [];
  const interpolation = new Interpolation(env);
  const root = readYaml(source);
  const file = map(root, 'the Compose file');
  for (const [key, value] of Object.entries(file)) {
    if (
      key.startsWith('x-') ||
      ['version', 'name', 'services', 'networks', 'volumes', 'configs'].includes(key)
    )
      continue;
    if (value !== null) refuse(key, own(REFUSED_TOP_LEVEL, key) ?? NOT_SUPPORTED);
  }
  const section = (key: string): YamlMap => {
    const value = file[key];
    return value == null ? emptyMap() : map(interpolation.tree(value), key);
  };
  const [declared, networks, volumes] = [section('services'), section('networks'), section('volumes')];

  // Profiles must be selected by name, which is impossible inside a CVM.
  const active = Object.entries(declared).filter(([, value]) => !hasProfiles(value));
  if (active.length === 0) throw new ComposeError('the Compose file has no services');
  if (active.length > MAX_SERVICES)
    throw new ComposeError(`the Compose file has ${active.length} services; the limit is ${MAX_SERVICES}`);
  const names = new Set(active.map(([name]) => name));
  const networkPlans = readNetworks(networks, notes);
  const volumeNames = readVolumes(volumes, notes);
  const configs = readConfigs(file['configs'] == null ? emptyMap() : map(file['configs'], 'configs'));

  const services = active.map(([name, value]) =>
    readService(name, value, {
      env: interpolation,
      limits,
      services: names,
      networks: new Set(Object.keys(networkPlans)),
      volumes: new Set(volumeNames),
      configs: new Set(Object.keys(configs)),
      note: (line) => notes.push(line),
    }),
  );
  // Each container and published port costs the machine a process outside the CVM's limits.
  const containers = services.reduce((sum, { replicas }) => sum + replicas, 0);
  if (containers > MAX_CONTAINERS)
    throw new ComposeError(
      `the Compose file defines ${containers} containers, counting replicas; the limit is ${MAX_CONTAINERS}`,
    );
  const published = services.reduce((sum, { replicas, ports }) => sum + replicas * ports.length, 0);
  if (published > MAX_PUBLISHED)
    throw new ComposeError(
      `the Compose file publishes ${published} ports, counting replicas; the limit is ${MAX_PUBLISHED}`,
    );
  const ports = services.flatMap((service) => service.ports);
  const taken = new Map<string, string>();
  for (const port of ports) {
    const key = `${port.vm_port}/${port.protocol}`;
    const other = taken.get(key);
    if (other !== undefined)
      refuse(`services.${port.service}.ports`, `port ${key} is already published by service ${other}`);
    taken.set(key, port.service);
  }
  for (const name of interpolation.unset) notes.push(`variable ${name} is not set; using an empty string`);
  return { services, networks: networkPlans, volumes: volumeNames, configs, ports, notes };
}

function hasProfiles(value: Yaml): boolean {
  const profiles =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? value['profiles'] : undefined;
  return Array.isArray(profiles) && profiles.length > 0;
}

/** Fixed names and addresses are dropped or refused: they would collide with other CVMs on the engine. */
function readNetworks(networks: YamlMap, notes: string[]): ComposePlan['networks'] {
  const out: ComposePlan['networks'] = {};
  for (const [name, value] of Object.entries(networks)) {
    const at = `networks.${name}`;
    named(name, at);
    const options = value === null ? undefined : map(value, at);
    if (options?.['external'] != null && options['external'] !== 'false')
      refuse(`${at}.external`, 'can’t join networks outside the CVM');
    if (options?.['driver_opts'] != null)
      refuse(`${at}.driver_opts`, 'driver options could reach the host’s network');
    if (options?.['ipam'] != null)
      refuse(`${at}.ipam`, 'addresses are assigned by the engine, which all CVMs share');
    if (options)
      onlyKeys(options, at, [
        'name',
        'driver',
        'internal',
        'attachable',
        'labels',
        'external',
        'driver_opts',
        'ipam',
        'enable_ipv6',
        'enable_ipv4',
      ]);
    const driver = text(options?.['driver'] ?? 'bridge', `${at}.driver`);
    if (driver !== 'bridge')
      refuse(`${at}.driver`, `network driver ${quoted(driver)} could reach the host’s network; use bridge`);
    if (options?.['name'] != null) notes.push(`${at}.name: ignored, because names are local to the CVM`);
    out[name] = {
      internal: options?.['internal'] == null ? false : flag(options['internal'], `${at}.internal`),
    };
  }
  out['default'] ??= { internal: false };
  if (Object.keys(out).length > MAX_NETWORKS) refuse('networks', `more than ${MAX_NETWORKS} networks`);
  return out;
}

function readVolumes(volumes: YamlMap, notes: string[]): string[] {
  const names = Object.keys(volumes);
  if (names.length > MAX_VOLUMES) refuse('volumes', `more than ${MAX_VOLUMES} volumes`);
  for (const name of names) {
    const at = `volumes.${name}`;
    named(name, at);
    const value = volumes[name] ?? null;
    if (value === null) continue;
    const options = map(value, at);
    if (options['external'] != null && options['external'] !== 'false')
      refuse(`${at}.external`, 'can’t mount volumes outside the CVM');
    if (options['driver_opts'] != null) refuse(`${at}.driver_opts`, 'driver options could mount host paths');
    onlyKeys(options, at, ['name', 'driver', 'labels', 'external', 'driver_opts']);
    const driver = text(options['driver'] ?? 'local', `${at}.driver`);
    if (driver !== 'local')
      refuse(`${at}.driver`, `volume driver ${quoted(driver)} is not available; use local`);
    if (options['name'] != null) notes.push(`${at}.name: ignored, because names are local to the CVM`);
  }
  return names;
}

function named(name: string, at: string): void {
  if (!/^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,62}$/.test(name))
    refuse(at, 'names may contain only letters, digits, dots, hyphens and underscores');
}

/**
 * Returns the document for the Compose client. `extra` is added to every service, `subnets` assigns each
 * network its addresses, `inherited` covers an image's labels, `files` has the path of each config.
 */
export function composeDocument(
  plan: ComposePlan,
  labels: { [key: string]: string },
  extra: { [key: string]: Out },
  subnets: ReadonlyMap<string, string>,
  inherited: ReadonlyMap<string, { [key: string]: string }>,
  files: ReadonlyMap<string, string>,
): Out {
  const services: { [key: string]: Out } = {};
  for (const service of plan.services)
    services[service.name] = {
      ...service.definition,
      ...extra,
      ...withConfigs(service, files),
      // Only the teepod pulls, from registries it allows.
      pull_policy: 'never',
      labels: { ...inherited.get(service.image), ...labels, 'teehouse.service': service.name },
    };
  const networks: { [key: string]: Out } = {};
  for (const [name, { internal }] of Object.entries(usedNetworks(plan))) {
    const subnet = subnets.get(name);
    networks[name] = {
      driver: 'bridge',
      internal,
      labels,
      ...(subnet ? { ipam: { config: [{ subnet }] } } : {}),
    };
  }
  const volumes: { [key: string]: Out } = {};
  for (const name of plan.volumes) volumes[name] = { labels };
  return { services, networks, volumes };
}

/** Returns the mounts of a service's configs: the only host files in a container, all written by the teepod. */
function withConfigs(
  { configs, definition }: ServicePlan,
  files: ReadonlyMap<string, string>,
): { volumes?: Out } {
  if (configs.length === 0) return {};
  const mounts = configs.map(({ source, target }) => ({
    type: 'bind',
    source: files.get(source) ?? '',
    target,
    read_only: true,
  }));
  return { volumes: [...((definition['volumes'] as Out[] | undefined) ?? []), ...mounts] };
}

/** Returns networks that at least one service uses; Compose creates only these. */
export function usedNetworks(plan: ComposePlan): ComposePlan['networks'] {
  const used = new Set(
    plan.services.flatMap(({ definition }) =>
      Object.keys((definition['networks'] as object | undefined) ?? {}),
    ),
  );
  return Object.fromEntries(Object.entries(plan.networks).filter(([name]) => used.has(name)));
}
