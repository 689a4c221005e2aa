/**
 * Reads one service of a Compose file, by allowlist: every key has a reader, a stated reason for refusal, or
 * is refused as unknown.
 */
import type { Interpolation } from './interpolate';
import { readPorts, type PortPlan } from './ports';
import { IGNORED_SERVICE_KEYS, REFUSED_SERVICE_KEYS } from './refusals';
import { readConfigMounts, type ConfigMount } from './configs';
import { serviceLimits, type CvmLimits } from './limits';
import {
  bytes,
  duration,
  flag,
  integer,
  list,
  map,
  NOT_SUPPORTED,
  onlyKeys,
  quoted,
  refuse,
  text,
  texts,
  textOrTexts,
} from './values';
import { readMounts, readTmpfs } from './volumes';
import { isYamlMap, type Out, type Yaml, type YamlMap } from './yaml';

export interface ServiceContext {
  env: Interpolation;
  limits: CvmLimits;
  services: ReadonlySet<string>;
  networks: ReadonlySet<string>;
  volumes: ReadonlySet<string>;
  configs: ReadonlySet<string>;
  note(line: string): void;
}

export interface ServicePlan {
  name: string;
  image: string;
  pull: 'missing' | 'always' | 'never';
  /** `container_name` from the file; here only a name inside the CVM. */
  container_name?: string;
  replicas: number;
  ports: PortPlan[];
  configs: ConfigMount[];
  definition: { [key: string]: Out };
}

type Reader = (value: Yaml, at: string, context: ServiceContext) => Out;
const asText: Reader = (value, at) => text(value, at);
const asFlag: Reader = (value, at) => flag(value, at);
const asTexts: Reader = (value, at) => textOrTexts(value, at);
const asCommand: Reader = (value, at) =>
  value === null ? null : typeof value === 'string' ? value : texts(value, at);

const READERS: Readonly<Record<string, Reader>> = {
  command: asCommand,
  entrypoint: asCommand,
  working_dir: asText,
  user: asText,
  hostname: asText,
  domainname: asText,
  tty: asFlag,
  stdin_open: asFlag,
  read_only: asFlag,
  init: asFlag,
  platform: asText,
  stop_signal: (value, at) =>
    /^(SIG)?[A-Z0-9+]+$/.test(text(value, at)) ? text(value, at) : refuse(at, 'must be a signal name'),
  stop_grace_period: (value, at) => duration(value, at),
  environment: (value, at, context) => Object.fromEntries(readEnvironment(value, at, context.env)),
  expose: (value, at) =>
    texts(value, at).map((port) =>
      /^\d+(-\d+)?(\/(tcp|udp))?$/.test(port) ? port : refuse(at, 'must be port numbers'),
    ),
  depends_on: readDependencies,
  restart: readRestart,
  healthcheck: readHealthcheck,
  volumes: (value, at, context) => readMounts(value, at, context.volumes),
  tmpfs: (value, at) => readTmpfs(value, at),
  shm_size: (value, at, { limits }) => Math.min(bytes(value, at), limits.memory_bytes),
  ulimits: readUlimits,
  cap_drop: asTexts,
  group_add: asTexts,
  dns: asTexts,
  dns_search: asTexts,
  dns_opt: asTexts,
  extra_hosts: readExtraHosts,
  links: (value, at, { services }) =>
    texts(value, at).map((link) =>
      services.has(link.split(':')[0] ?? '')
        ? link
        : refuse(at, `${quoted(link)} is not a service in this file`),
    ),
  logging: readLogging,
  networks: () => null, // read with the aliases below
  network_mode: () => null,
  ports: () => null,
  configs: () => null,
  image: () => null,
  container_name: () => null,
};

/** Read by serviceLimits. */
const LIMIT_KEYS = ['cpus', 'mem_limit', 'pids_limit', 'deploy', 'scale', 'memswap_limit'];
const NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/;
const IMAGE = /^[a-zA-Z0-9][a-zA-Z0-9._:/@-]{0,511}$/;

export function readService(name: string, value: Yaml, context: ServiceContext): ServicePlan {
  const where = `services.${name}`;
  if (!/^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,62}$/.test(name))
    refuse(where, 'service names may contain only letters, digits, dots, hyphens and underscores');
  const service = map(value, where);
  const definition: { [key: string]: Out } = {};
  for (const [key, item] of Object.entries(service)) {
    const at = `${where}.${key}`;
    if (key.startsWith('x-') || LIMIT_KEYS.includes(key)) continue;
    const refused = own(REFUSED_SERVICE_KEYS, key);
    if (refused && !harmless(key, item)) refuse(at, refused);
    if (refused) continue;
    const note = own(IGNORED_SERVICE_KEYS, key);
    if (note !== undefined) {
      if (note) context.note(`${at}: ${note}`);
      continue;
    }
    const reader = own(READERS, key);
    if (!reader) return refuse(at, NOT_SUPPORTED);
    const out = reader(item, at, context);
    if (out !== null) definition[key] = out;
  }
  const image = text(service['image'] ?? null, `${where}.image`);
  if (!IMAGE.test(image)) refuse(`${where}.image`, `${quoted(image)} is not a valid image name`);
  const containerName =
    service['container_name'] == null
      ? undefined
      : text(service['container_name'], `${where}.container_name`);
  if (containerName && !NAME.test(containerName))
    refuse(`${where}.container_name`, 'is not a valid container name');

  const { replicas, ...limits } = serviceLimits(service, where, context.limits);
  const ports = service['ports'] == null ? [] : readPorts(name, service['ports'], `${where}.ports`);
  const configs =
    service['configs'] == null
      ? []
      : readConfigMounts(service['configs'], `${where}.configs`, context.configs);
  Object.assign(definition, { image, ...limits }, network(service, where, containerName, context));
  if (ports.length > 0) {
    if (definition['network_mode']) refuse(`${where}.ports`, 'cannot be combined with network_mode');
    const inside = new Set(ports.map((port) => `127.0.0.1::${port.container_port}/${port.protocol}`));
    definition['ports'] = [...inside];
  }
  if (replicas > 1) definition['scale'] = replicas;
  const restart = definition['restart'] ?? readRestartPolicy(service['deploy'], `${where}.deploy`);
  if (restart !== null) definition['restart'] = restart;
  // Setuid programs gain nothing in a tenant's container, and device nodes are never needed.
  definition['security_opt'] = ['no-new-privileges:true'];
  definition['cap_drop'] = [
    ...new Set([...((definition['cap_drop'] as string[] | undefined) ?? []), 'MKNOD']),
  ];
  // Bounded, so that tenants' container logs can't fill the operator's disk.
  definition['logging'] = { driver: 'json-file', options: { 'max-size': '4m', 'max-file': '2' } };
  return {
    name,
    image,
    pull: pullPolicy(service['pull_policy'], `${where}.pull_policy`),
    ...(containerName ? { container_name: containerName } : {}),
    replicas,
    ports,
    configs,
    definition,
  };
}

/** A key such as `constructor` is on every object's prototype, but in none of these tables. */
export const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** `privileged: false` and `devices: []` request nothing. */
function harmless(key: string, value: Yaml): boolean {
  if (value === null || (Array.isArray(value) && value.length === 0)) return true;
  return ['privileged', 'oom_kill_disable', 'use_api_socket'].includes(key) && value === 'false';
}

/** A name without a value comes from the CVM's environment, and is omitted if it isn't there. */
function readEnvironment(value: Yaml, at: string, env: Interpolation): Map<string, string> {
  const out = new Map<string, string>();
  const set = (name: string, given: string | null, whole = name): void => {
    if (!name || name.length > 255 || /[=\0\s]/.test(name))
      refuse(at, `${quoted(whole)} does not start with a variable name`);
    const result = given ?? env.value(name);
    if (result !== undefined) out.set(name, result);
  };
  if (isYamlMap(value)) {
    for (const [name, given] of Object.entries(value))
      set(name, given === null ? null : text(given, `${at}.${name}`));
  } else if (value !== null) {
    for (const item of texts(value, at)) {
      const equals = item.indexOf('=');
      if (equals < 0) set(item, null);
      else set(item.slice(0, equals), item.slice(equals + 1), item);
    }
  }
  return out;
}

function readDependencies(value: Yaml, at: string, { services, note }: ServiceContext): Out {
  const known = (name: string): string =>
    services.has(name) ? name : refuse(at, `${quoted(name)} is not a service in this file`);
  if (Array.isArray(value)) return texts(value, at).map(known);
  const out: { [key: string]: Out } = {};
  for (const [name, item] of Object.entries(map(value, at))) {
    const options = item === null ? undefined : map(item, `${at}.${name}`);
    if (options) onlyKeys(options, `${at}.${name}`, ['condition', 'restart', 'required']);
    const condition = text(options?.['condition'] ?? 'service_started', `${at}.${name}.condition`);
    if (!['service_started', 'service_healthy', 'service_completed_successfully'].includes(condition))
      refuse(at, `unknown condition ${quoted(condition)}`);
    const required = options?.['required'] == null || flag(options['required'], `${at}.${name}.required`);
    if (required || services.has(name)) out[known(name)] = { condition };
    else note(`${at}.${name}: ignored, because it is optional and not an active service`);
  }
  return out;
}

/** `always` becomes `unless-stopped`: the engine must not restart what StopVm stopped. */
function readRestart(value: Yaml, at: string): Out {
  const raw = text(value, at);
  if (raw === 'always' || raw === 'unless-stopped') return 'unless-stopped';
  if (raw === 'no' || raw === 'false') return 'no';
  return /^on-failure(:\d{1,6})?$/.test(raw)
    ? raw
    : refuse(at, 'must be no, always, on-failure or unless-stopped');
}

/** `deploy.restart_policy`, which applies to a service without `restart`. */
function readRestartPolicy(deploy: Yaml | undefined, where: string): Out {
  if (!isYamlMap(deploy) || deploy['restart_policy'] == null) return null;
  const at = `${where}.restart_policy`;
  const policy = map(deploy['restart_policy'], at);
  onlyKeys(policy, at, ['condition', 'delay', 'max_attempts', 'window']);
  const condition = text(policy['condition'] ?? 'any', `${at}.condition`);
  if (condition === 'none') return 'no';
  if (condition === 'any') return 'unless-stopped';
  if (condition !== 'on-failure') refuse(`${at}.condition`, 'must be none, on-failure or any');
  const attempts =
    policy['max_attempts'] == null ? 0 : integer(policy['max_attempts'], `${at}.max_attempts`, 0, 999_999);
  return attempts > 0 ? `on-failure:${attempts}` : 'on-failure';
}

function readHealthcheck(value: Yaml, at: string, { note }: ServiceContext): Out {
  const check = map(value, at);
  onlyKeys(check, at, [
    'test',
    'interval',
    'timeout',
    'retries',
    'start_period',
    'start_interval',
    'disable',
  ]);
  const out: { [key: string]: Out } = {};
  if (check['test'] != null)
    out['test'] = typeof check['test'] === 'string' ? check['test'] : texts(check['test'], `${at}.test`);
  for (const key of ['interval', 'timeout', 'start_period']) {
    if (check[key] != null) out[key] = duration(check[key], `${at}.${key}`);
  }
  // Only recent engines and Compose versions know it.
  if (check['start_interval'] != null) note(`${at}.start_interval: ignored; the interval applies instead`);
  if (check['retries'] != null) out['retries'] = integer(check['retries'], `${at}.retries`, 0, 1000);
  if (check['disable'] != null) out['disable'] = flag(check['disable'], `${at}.disable`);
  return out;
}

const ULIMITS = [
  'as',
  'core',
  'cpu',
  'data',
  'fsize',
  'locks',
  'memlock',
  'msgqueue',
  'nofile',
  'nproc',
  'rss',
  'sigpending',
  'stack',
];

function readUlimits(value: Yaml, at: string): Out {
  const out: { [key: string]: Out } = {};
  for (const [name, item] of Object.entries(map(value, at))) {
    if (!ULIMITS.includes(name)) refuse(`${at}.${name}`, NOT_SUPPORTED);
    const read = (raw: Yaml | undefined): number => integer(raw ?? null, `${at}.${name}`, -1, 2 ** 40);
    out[name] = isYamlMap(item) ? { soft: read(item['soft']), hard: read(item['hard']) } : read(item);
  }
  return out;
}

function readExtraHosts(value: Yaml, at: string): Out {
  const pairs = isYamlMap(value)
    ? Object.entries(value).map(([host, address]) => `${host}:${text(address, at)}`)
    : list(value, at).map((item) => text(item, at).replace('=', ':'));
  for (const pair of pairs) {
    if (pair.includes('host-gateway')) refuse(at, 'host-gateway could reach services on the host machine');
    if (!/^[a-zA-Z0-9_.-]+:[0-9a-fA-F.:[\]]+$/.test(pair)) refuse(at, 'each entry must be host:address');
  }
  return pairs;
}

function readLogging(value: Yaml, at: string): Out {
  const driver = text(map(value, at)['driver'] ?? 'json-file', `${at}.driver`);
  if (!['json-file', 'local'].includes(driver))
    refuse(`${at}.driver`, `log driver ${quoted(driver)} would send logs outside the CVM; use json-file`);
  return null;
}

function pullPolicy(value: Yaml | undefined, at: string): ServicePlan['pull'] {
  if (value === undefined || value === null) return 'missing';
  if (value === 'always' || value === 'never' || value === 'missing') return value;
  return value === 'if_not_present' ? 'missing' : refuse(at, 'must be always, never or missing');
}

/** The CVM's other containers can still resolve `container_name`. */
function network(
  service: YamlMap,
  where: string,
  alias: string | undefined,
  context: ServiceContext,
): { [key: string]: Out } {
  const mode = service['network_mode'];
  if (mode != null) {
    const at = `${where}.network_mode`;
    const raw = text(mode, at);
    if (raw === 'none') return { network_mode: 'none' };
    const other = raw.startsWith('service:') ? raw.slice('service:'.length) : undefined;
    if (other && context.services.has(other)) return { network_mode: raw };
    refuse(
      at,
      `${quoted(raw)} would join a network outside the CVM; use "networks", "none" or "service:<name>"`,
    );
  }
  const given = service['networks'] ?? null;
  const entries: [string, Yaml][] =
    given === null
      ? [['default', null]]
      : isYamlMap(given)
        ? Object.entries(given)
        : texts(given, `${where}.networks`).map((name) => [name, null]);
  const networks: { [key: string]: Out } = {};
  for (const [name, options] of entries) {
    const at = `${where}.networks.${name}`;
    if (name !== 'default' && !context.networks.has(name))
      refuse(at, 'is not declared under the top-level "networks"');
    const read = options === null ? undefined : map(options, at);
    if (read) onlyKeys(read, at, ['aliases', 'priority']);
    const aliases = read?.['aliases'] == null ? [] : texts(read['aliases'], `${at}.aliases`);
    networks[name] = { aliases: [...aliases, ...(alias ? [alias] : [])] };
  }
  return { networks };
}
