/**
 * Reasons why known Compose options are refused. Untrusted tenants deploy to this machine, so anything not
 * known to be safe is refused.
 */
const HOST = 'could reach outside the CVM; all CVMs of the local teepod share one machine and one engine';

export const REFUSED_SERVICE_KEYS: Readonly<Record<string, string>> = {
  privileged: `privileged containers ${HOST}`,
  cap_add: `added capabilities ${HOST}`,
  devices: `devices ${HOST}`,
  device_cgroup_rules: `devices ${HOST}`,
  gpus: 'the local teepod has no GPUs',
  security_opt: `changed sandbox options ${HOST}`,
  pid: `shared process namespaces ${HOST}`,
  ipc: `shared IPC namespaces ${HOST}`,
  uts: `shared UTS namespaces ${HOST}`,
  userns_mode: `shared user namespaces ${HOST}`,
  cgroup: `other control groups ${HOST}`,
  cgroup_parent: `other control groups ${HOST}`,
  sysctls: `kernel parameters ${HOST}`,
  runtime: 'only the engine’s default runtime is available',
  isolation: 'only the engine’s default isolation is available',
  credential_spec: 'available only on Windows',
  volumes_from: 'other containers’ volumes are not available; use named volumes',
  external_links: 'containers outside the CVM are not reachable',
  build: 'the local teepod doesn’t build images: push the image to a registry and set `image`',
  develop: 'the local teepod doesn’t build images: push the image to a registry and set `image`',
  env_file: 'only the Compose file is deployed; set the values under `environment` or as secrets',
  label_file: 'only the Compose file is deployed, without other files',
  extends: 'only the Compose file is deployed; use YAML anchors',
  secrets: 'secrets are files; pass secret values through `environment`',
  storage_opt: 'not supported by every storage driver',
  oom_kill_disable: 'could let one CVM exhaust the machine’s memory',
  oom_score_adj: 'could let one CVM exhaust the machine’s memory',
  mem_swappiness: 'containers have no swap',
  blkio_config: 'the CVM’s own limits apply',
  cpu_rt_runtime: 'real-time scheduling could starve other CVMs',
  cpu_rt_period: 'real-time scheduling could starve other CVMs',
  cpuset: 'CPU pinning could starve other CVMs',
  mac_address: 'addresses are assigned by the engine',
  post_start: 'lifecycle hooks are not supported',
  pre_stop: 'lifecycle hooks are not supported',
  provider: 'runs programs on the host',
  use_api_socket: 'would give the container control over the engine',
  models: 'model runners are not available',
};

export const REFUSED_TOP_LEVEL: Readonly<Record<string, string>> = {
  include: 'only the Compose file is deployed, without other files',
  secrets: 'secrets are files; pass secret values through `environment`',
  models: 'model runners are not available',
};

/** Accepted and ignored: the engine or the teepod decides. */
export const IGNORED_SERVICE_KEYS: Readonly<Record<string, string>> = {
  // Labels control other programs that watch the same engine (reverse proxies, updaters, command schedulers).
  labels: 'labels are ignored',
  annotations: 'annotations are ignored',
  attach: '',
  cpu_shares: 'relative CPU shares are ignored',
  cpu_count: '',
  cpu_percent: '',
  cpu_period: '',
  cpu_quota: '',
  mem_reservation: '',
  memswap_limit: 'containers have no swap',
  pull_policy: '',
  profiles: '',
  scale: '',
  deploy: '',
};
