// Field names and value types docker compose accepts (Compose Specification, "Services top-level elements").
// Deeper structure is left to Compose itself.

import type { Kind } from './source';

type Kinds = readonly Kind[];
const TEXT: Kinds = ['text'];
const LIST: Kinds = ['list'];
const MAPPING: Kinds = ['mapping'];
const BOOLEAN: Kinds = ['boolean', 'text'];
const NUMBER: Kinds = ['number', 'text'];
const LIST_OR_MAPPING: Kinds = ['list', 'mapping'];
const TEXT_OR_LIST: Kinds = ['text', 'list'];
const TEXT_OR_MAPPING: Kinds = ['text', 'mapping'];
const SCALAR: Kinds = ['text', 'number', 'boolean'];

export const SERVICE_FIELDS: Readonly<Record<string, Kinds>> = {
  annotations: LIST_OR_MAPPING,
  attach: BOOLEAN,
  blkio_config: MAPPING,
  build: TEXT_OR_MAPPING,
  cap_add: LIST,
  cap_drop: LIST,
  cgroup: TEXT,
  cgroup_parent: TEXT,
  command: ['text', 'list', 'nothing'],
  configs: LIST,
  container_name: TEXT,
  cpu_count: NUMBER,
  cpu_percent: NUMBER,
  cpu_period: NUMBER,
  cpu_quota: NUMBER,
  cpu_rt_period: NUMBER,
  cpu_rt_runtime: NUMBER,
  cpu_shares: NUMBER,
  cpus: NUMBER,
  cpuset: SCALAR,
  credential_spec: MAPPING,
  depends_on: LIST_OR_MAPPING,
  deploy: MAPPING,
  develop: MAPPING,
  device_cgroup_rules: LIST,
  devices: LIST,
  dns: TEXT_OR_LIST,
  dns_opt: LIST,
  dns_search: TEXT_OR_LIST,
  domainname: TEXT,
  driver_opts: MAPPING,
  entrypoint: ['text', 'list', 'nothing'],
  env_file: ['text', 'list'],
  environment: LIST_OR_MAPPING,
  expose: LIST,
  extends: TEXT_OR_MAPPING,
  external_links: LIST,
  extra_hosts: LIST_OR_MAPPING,
  gpus: TEXT_OR_LIST,
  group_add: LIST,
  healthcheck: MAPPING,
  hostname: TEXT,
  image: TEXT,
  init: BOOLEAN,
  ipc: TEXT,
  isolation: TEXT,
  label_file: TEXT_OR_LIST,
  labels: LIST_OR_MAPPING,
  links: LIST,
  logging: MAPPING,
  mac_address: TEXT,
  mem_limit: NUMBER,
  mem_reservation: NUMBER,
  mem_swappiness: NUMBER,
  memswap_limit: NUMBER,
  models: LIST_OR_MAPPING,
  network_mode: TEXT,
  networks: LIST_OR_MAPPING,
  oom_kill_disable: BOOLEAN,
  oom_score_adj: NUMBER,
  pid: TEXT,
  pids_limit: NUMBER,
  platform: TEXT,
  ports: LIST,
  post_start: LIST,
  pre_stop: LIST,
  privileged: BOOLEAN,
  profiles: LIST,
  provider: MAPPING,
  pull_policy: TEXT,
  read_only: BOOLEAN,
  restart: TEXT,
  runtime: TEXT,
  scale: NUMBER,
  secrets: LIST,
  security_opt: LIST,
  shm_size: NUMBER,
  stdin_open: BOOLEAN,
  stop_grace_period: TEXT,
  stop_signal: TEXT,
  storage_opt: MAPPING,
  sysctls: LIST_OR_MAPPING,
  tmpfs: TEXT_OR_LIST,
  tty: BOOLEAN,
  ulimits: MAPPING,
  use_api_socket: BOOLEAN,
  user: SCALAR,
  userns_mode: TEXT,
  uts: TEXT,
  volumes: LIST,
  volumes_from: LIST,
  working_dir: TEXT,
};

export const TOP_FIELDS: Readonly<Record<string, Kinds>> = {
  configs: ['mapping', 'nothing'],
  include: ['list', 'text', 'mapping'],
  models: ['mapping', 'nothing'],
  name: TEXT,
  networks: ['mapping', 'nothing'],
  secrets: ['mapping', 'nothing'],
  services: MAPPING,
  version: SCALAR,
  volumes: ['mapping', 'nothing'],
};

/** Returns the known name one typo away, or null. */
export function nearest(name: string, known: Iterable<string>): string | null {
  for (const candidate of known) if (oneEditApart(name, candidate)) return candidate;
  return null;
}

function oneEditApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  const sameRest = (x: number, y: number) => a.slice(i + x) === b.slice(i + y);
  const swapped = a[i] === b[i + 1] && a[i + 1] === b[i] && a.slice(i + 2) === b.slice(i + 2);
  return sameRest(1, 1) || sameRest(1, 0) || sameRest(0, 1) || swapped;
}
