/** JSON mode of dstack-vmm's RPC: every field has a default, unknown fields are ignored, `bytes` are hex. */

/** Reported as HTTP 400 `{"error": message}`. */
export class RpcError extends Error {}

export type Fields = Record<string, unknown>;

export interface PortMapping {
  protocol: string;
  host_port: number;
  vm_port: number;
  host_address: string;
}
interface Networking {
  mode: string;
  bridge_name: string;
}
export interface GpuConfig {
  gpus: { slot: string }[];
  attach_mode: string;
}

export interface VmConfiguration {
  name: string;
  image: string;
  compose_file: string;
  vcpu: number;
  /** MB */
  memory: number;
  /** GB */
  disk_size: number;
  ports: PortMapping[];
  /** lowercase hex */
  encrypted_env: string;
  app_id: string | null;
  user_config: string;
  hugepages: boolean;
  pin_numa: boolean;
  gpus: GpuConfig | null;
  kms_urls: string[];
  gateway_urls: string[];
  stopped: boolean;
  no_tee: boolean;
  networking: Networking | null;
  networks: Networking[];
  simulated_tee: string | null;
}

export interface UpdateVmRequest {
  id: string;
  compose_file: string;
  encrypted_env: string;
  user_config: string;
  update_ports: boolean;
  ports: PortMapping[];
  update_kms_urls: boolean;
  kms_urls: string[];
  update_gateway_urls: boolean;
  gateway_urls: string[];
  gpus: GpuConfig | null;
  vcpu: number | null;
  memory: number | null;
  disk_size: number | null;
  image: string | null;
  no_tee: boolean | null;
  update_networking: boolean;
  networks: Networking[];
}

export interface StatusRequest {
  ids: string[];
  brief: boolean;
  keyword: string;
  page: number;
  page_size: number;
}

export function fields(value: unknown, what = 'request'): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new RpcError(`Failed to decode ${what}: expected an object`);
}

function wrong(name: string, expected: string): never {
  throw new RpcError(`Failed to decode request: invalid type for field ${name}: expected ${expected}`);
}

export function str(from: Fields, name: string): string {
  const value = from[name];
  if (value === undefined) return '';
  return typeof value === 'string' ? value : wrong(name, 'a string');
}

function bool(from: Fields, name: string): boolean {
  const value = from[name];
  if (value === undefined) return false;
  // A GET carries text only.
  return typeof value === 'boolean' ? value : wrong(name, 'a boolean');
}

export function u32(from: Fields, name: string): number {
  const value = from[name];
  if (value === undefined) return 0;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff)
    return value;
  return wrong(name, 'u32');
}

/** Lowercase hex without 0x; input may have 0x and any case. */
export function hexBytes(from: Fields, name: string): string {
  const value = str(from, name).replace(/^0x/i, '').toLowerCase();
  if (!/^([0-9a-f]{2})*$/.test(value))
    throw new RpcError(`Failed to decode request: field ${name} is not valid hex`);
  return value;
}

export function optional<T>(from: Fields, name: string, read: (from: Fields, name: string) => T): T | null {
  return from[name] === undefined || from[name] === null ? null : read(from, name);
}

function array<T>(from: Fields, name: string, read: (item: unknown) => T): T[] {
  const value = from[name];
  if (value === undefined) return [];
  return Array.isArray(value) ? value.map(read) : wrong(name, 'a sequence');
}

const strings = (from: Fields, name: string): string[] =>
  array(from, name, (item) => (typeof item === 'string' ? item : wrong(name, 'strings')));

function port(item: unknown): PortMapping {
  const from = fields(item, 'port mapping');
  return {
    protocol: str(from, 'protocol'),
    host_port: u32(from, 'host_port'),
    vm_port: u32(from, 'vm_port'),
    host_address: str(from, 'host_address'),
  };
}

function network(item: unknown): Networking {
  const from = fields(item, 'networking');
  return { mode: str(from, 'mode'), bridge_name: str(from, 'bridge_name') };
}

function gpus(from: Fields, name: string): GpuConfig {
  const value = fields(from[name], name);
  return {
    gpus: array(value, 'gpus', (item) => ({ slot: str(fields(item, 'gpu'), 'slot') })),
    attach_mode: str(value, 'attach_mode'),
  };
}

export function vmConfiguration(from: Fields): VmConfiguration {
  const appId = optional(from, 'app_id', str)?.replace(/^0x/i, '').toLowerCase() ?? null;
  return {
    name: str(from, 'name'),
    image: str(from, 'image'),
    compose_file: str(from, 'compose_file'),
    vcpu: u32(from, 'vcpu'),
    memory: u32(from, 'memory'),
    disk_size: u32(from, 'disk_size'),
    ports: array(from, 'ports', port),
    encrypted_env: hexBytes(from, 'encrypted_env'),
    app_id: appId === '' ? null : appId,
    user_config: str(from, 'user_config'),
    hugepages: bool(from, 'hugepages'),
    pin_numa: bool(from, 'pin_numa'),
    gpus: optional(from, 'gpus', gpus),
    kms_urls: strings(from, 'kms_urls'),
    gateway_urls: strings(from, 'gateway_urls'),
    stopped: bool(from, 'stopped'),
    no_tee: bool(from, 'no_tee'),
    networking: optional(from, 'networking', (f, n) => network(f[n])),
    networks: array(from, 'networks', network),
    simulated_tee: optional(from, 'simulated_tee', str),
  };
}

export function updateRequest(from: Fields): UpdateVmRequest {
  return {
    id: str(from, 'id'),
    compose_file: str(from, 'compose_file'),
    encrypted_env: hexBytes(from, 'encrypted_env'),
    user_config: str(from, 'user_config'),
    update_ports: bool(from, 'update_ports'),
    ports: array(from, 'ports', port),
    update_kms_urls: bool(from, 'update_kms_urls'),
    kms_urls: strings(from, 'kms_urls'),
    update_gateway_urls: bool(from, 'update_gateway_urls'),
    gateway_urls: strings(from, 'gateway_urls'),
    gpus: optional(from, 'gpus', gpus),
    vcpu: optional(from, 'vcpu', u32),
    memory: optional(from, 'memory', u32),
    disk_size: optional(from, 'disk_size', u32),
    image: optional(from, 'image', str),
    no_tee: optional(from, 'no_tee', bool),
    update_networking: bool(from, 'update_networking'),
    networks: array(from, 'networks', network),
  };
}

export function statusRequest(from: Fields): StatusRequest {
  return {
    ids: strings(from, 'ids'),
    brief: bool(from, 'brief'),
    keyword: str(from, 'keyword'),
    page: u32(from, 'page'),
    page_size: u32(from, 'page_size'),
  };
}
