/** Why a known compose option is not run here. Strangers deploy to this machine: what is not known to be safe is refused. */
const HOST = 'would reach outside the CVM: the local teepod shares one machine and one engine among all CVMs';

export const REFUSED_SERVICE_KEYS: Readonly<Record<string, string>> = {
  privileged: `a privileged container ${HOST}`,
  cap_add: `more capabilities ${HOST}`,
  devices: `devices ${HOST}`,
  device_cgroup_rules: `devices ${HOST}`,
  gpus: 'the local teepod has no GPUs',
  security_opt: `changing the sandbox ${HOST}`,
  pid: `another process namespace ${HOST}`,
  ipc: `another IPC namespace ${HOST}`,
  uts: `another UTS namespace ${HOST}`,
  userns_mode: `another user namespace ${HOST}`,
  cgroup: `another control group ${HOST}`,
  cgroup_parent: `another control group ${HOST}`,
  sysctls: `kernel parameters ${HOST}`,
  runtime: 'only the engine’s default runtime is used',
  isolation: 'only the engine’s default isolation is used',
  credential_spec: 'only exists on Windows',
  volumes_from: 'use named volumes; volumes of other containers cannot be reached',
  external_links: 'containers outside the CVM cannot be reached',
  build: 'images are not built here: push the image to a registry and name it with `image`',
  develop: 'images are not built here: push the image to a registry and name it with `image`',
  env_file:
    'there are no files beside the compose file; put the values under `environment` or among the secrets',
  label_file: 'there are no files beside the compose file',
  extends: 'there are no files beside the compose file; use YAML anchors',
  configs: 'configs are files; the local teepod only mounts named volumes and tmpfs',
  secrets: 'secrets are files; pass secret values through `environment`',
  storage_opt: 'not every storage driver has it',
  oom_kill_disable: 'would let one CVM use up the machine’s memory',
  oom_score_adj: 'would let one CVM use up the machine’s memory',
  mem_swappiness: 'containers get no swap',
  blkio_config: 'the CVM’s own limits apply',
  cpu_rt_runtime: 'real-time scheduling would starve other CVMs',
  cpu_rt_period: 'real-time scheduling would starve other CVMs',
  cpuset: 'pinning processors would starve other CVMs',
  mac_address: 'addresses are assigned by the engine',
  post_start: 'lifecycle hooks are not supported',
  pre_stop: 'lifecycle hooks are not supported',
  provider: 'runs programs of the host',
  use_api_socket: 'would give the container control over the engine',
  models: 'model runners are not available',
};

export const REFUSED_TOP_LEVEL: Readonly<Record<string, string>> = {
  include: 'there are no files beside the compose file',
  configs: 'configs are files; the local teepod only mounts named volumes and tmpfs',
  secrets: 'secrets are files; pass secret values through `environment`',
  models: 'model runners are not available',
};

/** Accepted and left to the engine's or the teepod's own choice. */
export const IGNORED_SERVICE_KEYS: Readonly<Record<string, string>> = {
  // Labels steer other programs that watch the same engine (reverse proxies, updaters, schedulers that run commands).
  labels: 'labels are not passed on',
  annotations: 'annotations are not passed on',
  attach: '',
  cpu_shares: 'relative CPU shares are not passed on',
  cpu_count: '',
  cpu_percent: '',
  cpu_period: '',
  cpu_quota: '',
  mem_reservation: '',
  memswap_limit: 'containers get no swap',
  pull_policy: '',
  profiles: '',
  scale: '',
  deploy: '',
};
