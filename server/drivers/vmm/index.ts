import type { z } from 'zod';
import { RpcError } from './rpcError';
import type * as s from './schemas';

/**
 * Driver for one TEE host: dstack-vmm's RPC, or the built-in local teepod, which implements the same one. Operations
 * and jobs import only this file; `rpc.ts` is the real driver, `fake.ts` a host for tests.
 */

/** A call to a host failed; see `RpcError` for kind, retryable and ambiguous. */
export class VmmError extends RpcError {}

export type VmInfo = z.output<typeof s.vmInfo>;
type VmStatusPage = z.output<typeof s.statusReply>;
type VmmImage = z.output<typeof s.imageList>['images'][number];
type VmmRegistryImage = z.output<typeof s.registryImageList>['images'][number];
type VmmGpus = z.output<typeof s.gpuList>;
export type VmmVersion = z.output<typeof s.versionReply>;
export type VmmMeta = z.output<typeof s.metaReply>;
export type EnvPubKey = z.output<typeof s.envPubKey>;
type GuestInfo = z.output<typeof s.guestInfo>;
/**
 * Memory, swap and disk in bytes, uptime in seconds, load averages in hundredths. Reported by the guest, not
 * attested.
 */
export type GuestSysInfo = z.output<typeof s.guestSysInfo>;
export type GuestNetworkInfo = z.output<typeof s.guestNetworkInfo>;
export type GuestContainer = z.output<typeof s.guestContainers>['containers'][number];

interface PortMapping {
  protocol: 'tcp' | 'udp';
  host_port: number;
  vm_port: number;
  /** an IP address; empty is the host's default at creation, and rejected in an update */
  host_address: string;
}

export interface GpuSelection {
  attach_mode: 'listed' | 'all';
  gpus: { slot: string }[];
}

interface VmNetwork {
  mode: string;
  bridge_name?: string;
}

/** A VM's configuration. memory in MB, disk_size in GB, encrypted_env in hex. */
export interface VmSpec {
  name: string;
  image: string;
  /** the exact app-compose.json text; the host hashes these bytes */
  compose_file: string;
  vcpu: number;
  memory: number;
  disk_size: number;
  ports?: PortMapping[];
  encrypted_env?: string;
  /** 40 hex; absent: the first 40 of sha256(compose_file) */
  app_id?: string;
  user_config?: string;
  hugepages?: boolean;
  pin_numa?: boolean;
  gpus?: GpuSelection;
  kms_urls?: string[];
  gateway_urls?: string[];
  /** create without starting */
  stopped?: boolean;
  no_tee?: boolean;
  networks?: VmNetwork[];
  simulated_tee?: string;
}

/**
 * Absent means unchanged. The host writes the change to disk and the VM applies it at its next boot, so an update of
 * a running VM is updateVm, then stop and start. vcpu, memory, disk_size and image are accepted only while the VM is
 * stopped or exited; a disk never shrinks. An environment can't be cleared, only replaced (by an encrypted empty
 * list).
 */
export type VmChange = Partial<
  Pick<
    VmSpec,
    | 'compose_file'
    | 'encrypted_env'
    | 'user_config'
    | 'ports'
    | 'kms_urls'
    | 'gateway_urls'
    | 'gpus'
    | 'vcpu'
    | 'memory'
    | 'disk_size'
    | 'image'
    | 'no_tee'
    | 'networks'
  >
>;

export interface VmmCapabilities {
  version: string;
  rev: string;
  /** UpdateVm; otherwise the older UpgradeApp and ResizeVm are used, which can't change kms_urls or gateway_urls */
  update_vm: boolean;
  no_tee: boolean;
  networking: boolean;
  simulated_tee: boolean;
  registry: boolean;
  /** the host protects its whole API with a credential (dstack-vmm 0.6), not only /logs */
  api_protected: boolean;
  /** sentences for an administrator, e.g. that the API is open to the network */
  warnings: string[];
}

export interface CallOptions {
  /** aborting rejects with the signal's reason */
  signal?: AbortSignal;
}

interface StatusQuery {
  /** leave out configuration (compose, environment, user_config); use it for lists */
  brief?: boolean;
  /** substring of name, id, app_id or image */
  keyword?: string;
  ids?: string[];
  /** from 1; absent is everything */
  page?: number;
  page_size?: number;
}

type LogChannel = 'serial' | 'stdout' | 'stderr';

interface LogQuery {
  id: string;
  channel?: LogChannel;
  /** number of last lines to start with */
  lines?: number;
  follow?: boolean;
  /** keep terminal escapes */
  ansi?: boolean;
  signal?: AbortSignal;
}

/**
 * Query of the guest agent's `/logs/<container>`. Without `text` or `bare`: NDJSON `{channel, message}`, message in
 * base64.
 */
export interface ContainerLogQuery {
  since?: string | number;
  until?: string | number;
  tail?: string | number;
  follow?: boolean;
  text?: boolean;
  bare?: boolean;
  timestamps?: boolean;
  ansi?: boolean;
}

/**
 * Bytes as they arrive; a chunk may end inside a UTF-8 sequence. Must be iterated, or aborted by its signal. Leaving
 * the loop closes the connection; aborting ends the iteration without an error; a broken or silent connection throws
 * a retryable `VmmError`.
 */
export type ByteStream = AsyncIterable<Uint8Array>;

export interface ContainerLogs {
  /** the guest agent's status, e.g. 404 for no such container, 403 without public_logs */
  status: number;
  content_type: string;
  body: ByteStream;
}

/** Through the host's vsock proxy: works once the guest agent is up; before that `rejected` with `retryable`. */
interface GuestProxy {
  info(id: string, options?: CallOptions): Promise<GuestInfo>;
  sysInfo(id: string, options?: CallOptions): Promise<GuestSysInfo>;
  networkInfo(id: string, options?: CallOptions): Promise<GuestNetworkInfo>;
  listContainers(id: string, options?: CallOptions): Promise<GuestContainer[]>;
  shutdown(id: string, options?: CallOptions): Promise<void>;
}

/** Every method throws only `VmmError`, except for an aborted signal's reason. */
export interface VmmDriver {
  /** the host's URL, for messages */
  readonly endpoint: string;

  /**
   * @returns the VM's ID. Not idempotent: two calls create two VMs. After an error with `ambiguous`, look for the VM
   * before calling again.
   */
  createVm(spec: VmSpec, options?: CallOptions): Promise<string>;
  /** A running VM is left running. */
  startVm(id: string, options?: CallOptions): Promise<void>;
  /** Hard stop, like pulling the plug. */
  stopVm(id: string, options?: CallOptions): Promise<void>;
  /** Graceful power-off by the guest agent. Returns immediately; poll the status. Fails while the guest isn't up. */
  shutdownVm(id: string, options?: CallOptions): Promise<void>;
  /** Stops, then deletes VM and disk in the background; poll until `getInfo` is null. An unknown ID is success. */
  removeVm(id: string, options?: CallOptions): Promise<void>;
  /** See `VmChange`: takes effect at the next boot. */
  updateVm(id: string, change: VmChange, options?: CallOptions): Promise<void>;
  /** null if the host doesn't know the ID. */
  getInfo(id: string, options?: CallOptions): Promise<VmInfo | null>;
  status(query?: StatusQuery, options?: CallOptions): Promise<VmStatusPage>;

  /**
   * Makes the host read the directories of its VMs again. Returns how many it loaded, updated and dropped from its list;
   * it deletes nothing.
   */
  reloadVms(options?: CallOptions): Promise<z.output<typeof s.reloadReply>>;
  /** Processes of the host's supervisor, which outlive a restart of the host's API. */
  listProcesses(options?: CallOptions): Promise<z.output<typeof s.processList>['processes']>;

  listImages(options?: CallOptions): Promise<VmmImage[]>;
  listRegistryImages(options?: CallOptions): Promise<VmmRegistryImage[]>;
  /** Starts the download; poll `listRegistryImages` for `pulling` and `error`. */
  pullRegistryImage(tag: string, options?: CallOptions): Promise<void>;
  deleteImage(name: string, options?: CallOptions): Promise<void>;
  listGpus(options?: CallOptions): Promise<VmmGpus>;
  version(options?: CallOptions): Promise<VmmVersion>;
  /** What this host's version supports; queried at most once a minute. */
  capabilities(options?: CallOptions): Promise<VmmCapabilities>;
  getMeta(options?: CallOptions): Promise<VmmMeta>;
  /**
   * Milliseconds by which the host's clock is ahead of ours, to within a second, from its last reply; null if
   * unknown.
   */
  clockSkewMs(): number | null;

  /** The KMS's response, passed on by the host: verify the signature against a pinned key before use. */
  getAppEnvEncryptPubKey(appId: string, options?: CallOptions): Promise<EnvPubKey>;
  /** sha256 of the text as the host computes it, 64 hex. */
  composeHash(composeFile: string, options?: CallOptions): Promise<string>;

  /** Serial console and QEMU output, without the host's heartbeat lines. Throws `not_found` for an unknown VM. */
  logs(query: LogQuery): Promise<ByteStream>;
  readonly guest: GuestProxy;
  containerLogs(query: {
    vm: Pick<VmInfo, 'id' | 'app_id' | 'instance_id' | 'app_url'>;
    container: string;
    query?: ContainerLogQuery;
    signal?: AbortSignal;
  }): Promise<ContainerLogs>;

  /** Waits for calls in flight and closes open log streams. */
  close(): Promise<void>;
}

export type VmmCredential =
  | { type: 'bearer'; token: string }
  | { type: 'basic'; username: string; password: string };

export interface TlsOptions {
  /** PEM of the authority to trust instead of the system's */
  ca?: string;
  /** sha256 of the server's certificate in hex: the only certificate accepted, regardless of its issuer */
  pin_sha256?: string;
  /** accept any certificate; only for peers whose responses are verified in another way */
  insecure?: boolean;
  /** name to request and check, if it isn't the URL's */
  servername?: string;
  /** client certificate and key in PEM, for a proxy that requires one */
  cert?: string;
  key?: string;
}

export interface VmmOptions {
  /** `http://…`, `https://…`, `unix:/path/vmm.sock`; for a path prefix behind a socket `unix:/path/vmm.sock:/prefix` */
  url: string;
  credential?: VmmCredential | null;
  tls?: TlsOptions;
  /**
   * Where container logs are: `gateway` (default) queries the guest agent at the VM's public `app_url`; `vmm`
   * queries the built-in local teepod, which has no gateway, on its own listener.
   */
  agent?: 'gateway' | 'vmm';
  gateway_tls?: TlsOptions;
  limits?: Partial<VmmLimits>;
}

export interface VmmLimits {
  /** milliseconds from the call to the reply's last byte */
  read_ms: number;
  info_ms: number;
  write_ms: number;
  /** CreateVm, UpdateVm: the host may copy and resize disks */
  slow_write_ms: number;
  connect_ms: number;
  /** silence after which a followed log counts as broken; the host sends a heartbeat every 60 s */
  log_silence_ms: number;
  /** concurrent calls to the host; further ones wait, within their deadline */
  in_flight: number;
  streams: number;
  reply_bytes: number;
}

export type VmmFactory = (options: VmmOptions) => VmmDriver;

/** The columns of a teepod that decide how to connect to it. */
export interface TeepodEndpoint {
  id: number;
  url: string;
  /** `local` is the built-in teepod, which also answers for the guest agent */
  kind: 'dstack_vmm' | 'local';
  credential_kind: 'none' | 'bearer' | 'basic';
  /** unsealed only when a driver is created; a token, or `user:password` */
  sealed_credential: string | null;
}

/** One live driver per teepod. */
export interface VmmRegistry {
  /** @throws VmmError `unsupported` if the row's URL or credential is unusable */
  get(row: TeepodEndpoint): VmmDriver;
  /** forget a deleted teepod */
  drop(id: number): void;
  close(): Promise<void>;
}
