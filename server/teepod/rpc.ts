/** The dstack-vmm methods this program implements. */
import { imageHash } from './attestation';
import { composeHash } from './appCompose';
import { guestInfo, listContainers, networkInfo, sysInfo } from './guest';
import type { Manager } from './manager';
import { checkCompose } from './validate';
import type { Vm } from './vm';
import { imageVersion, selectVms, vmInfo } from './vmInfo';
import {
  fields,
  hexBytes,
  optional,
  RpcError,
  statusRequest,
  str,
  u32,
  updateRequest,
  vmConfiguration,
  type Fields,
} from './wire';

/** Reported as 0.6.0, the protocol level implemented. */
export const VERSION = '0.6.0+teehouse';
const REVISION = 'local teepod, no hardware TEE';
export const GUEST_AGENT_PORT = 8090;

export interface Surroundings {
  manager: Manager;
  /** URL of this program. */
  url: string;
  gateway: { host: string; port: number };
}

export type Method = (request: Fields) => unknown;

function baseDomain(port: number): string {
  return `cvm.localhost:${port}`;
}

export function vmmMethods(surroundings: Surroundings): Record<string, Method> {
  const { manager, gateway } = surroundings;
  const domain = baseDomain(gateway.port);
  const { kms } = manager.tools;
  const id = (request: Fields): string => str(request, 'id');
  const update = async (request: Fields): Promise<unknown> => {
    const change = updateRequest(request);
    if (!/^[\w-]+$/.test(change.id)) throw new RpcError('invalid VM id');
    return { id: await manager.update(change) };
  };
  return {
    CreateVm: async (request) => ({ id: await manager.create(vmConfiguration(request)) }),
    StartVm: async (request) => (await manager.start(id(request)), null),
    StopVm: async (request) => (await manager.stop(id(request)), null),
    ShutdownVm: async (request) => (await manager.shutdown(id(request)), null),
    RemoveVm: async (request) => (await manager.remove(id(request)), null),
    UpdateVm: update,
    UpgradeApp: update,
    ResizeVm: async (request) => {
      const sizes = ['vcpu', 'memory', 'disk_size', 'image'];
      if (!sizes.some((name) => request[name] !== undefined && request[name] !== null))
        throw new RpcError('resize request contains no updates');
      await manager.resize(id(request), {
        vcpu: optional(request, 'vcpu', u32),
        memory: optional(request, 'memory', u32),
        disk_size: optional(request, 'disk_size', u32),
        image: optional(request, 'image', str),
      });
      return null;
    },
    GetComposeHash: (request) => {
      const { compose_file } = vmConfiguration(request);
      checkCompose(compose_file, '');
      return { hash: composeHash(compose_file) };
    },
    Status: (request) => {
      const asked = statusRequest(request);
      const { vms, total } = selectVms(manager.list(), asked);
      return { vms: vms.map((vm) => vmInfo(vm, asked.brief, domain)), port_mapping_enabled: false, total };
    },
    GetInfo: (request) => {
      const vm = manager.find(id(request));
      return { found: vm !== undefined, info: vm ? vmInfo(vm, false, domain) : null };
    },
    ListImages: () => ({ images: manager.config.images.map(image) }),
    ListRegistryImages: () => ({ images: [] }),
    PullRegistryImage: () => {
      throw new RpcError('image registry is not configured');
    },
    DeleteImage: (request) => {
      const name = id(request);
      if (!manager.config.images.includes(name)) throw new RpcError(`image '${name}' not found`);
      const user = manager.list().find(({ config }) => config.image === name);
      throw new RpcError(
        `cannot delete image '${name}': ${user ? `in use by VM '${user.config.name}'` : 'it is built in'}`,
      );
    },
    ListGpus: () => ({ gpus: [], allow_attach_all: false }),
    Version: () => ({ version: VERSION, rev: REVISION }),
    GetMeta: () => {
      const { url } = surroundings; // known once listening
      const kmsUrl = url.startsWith('unix:') ? `${url}:/kms` : `${url}/kms`;
      const gatewayUrl = `http://${gateway.host}:${gateway.port}`;
      return {
        kms: { url: kmsUrl, urls: [kmsUrl] },
        gateway: {
          url: gatewayUrl,
          urls: [gatewayUrl],
          base_domain: domain,
          port: gateway.port,
          agent_port: GUEST_AGENT_PORT,
        },
        resources: {
          max_cvm_number: manager.config.max_cvms,
          max_allocable_vcpu: manager.config.max_vcpu,
          max_allocable_memory_in_mb: manager.config.max_memory_mb,
        },
        networking: { supported_modes: ['user'], default_mode: 'user', default_bridge: '' },
      };
    },
    GetAppEnvEncryptPubKey: (request) => kms.envKey(hexBytes(request, 'app_id')),
    ReloadVms: () => manager.reload(),
    SvList: () => ({ processes: manager.list().flatMap(processOf) }),
  };
}

/** This host's KMS in the KMS's own RPC shape: a control plane fetches the key to pin from it. */
export function kmsMethods({ manager }: Surroundings): Record<string, Method> {
  const { kms } = manager.tools;
  return {
    GetMeta: () => kms.meta(),
    GetAppEnvEncryptPubKey: (request) => kms.envKey(hexBytes(request, 'app_id')),
  };
}

/** The KMS with a contract; without one there are no methods. */
export function chainKmsMethods({ manager }: Surroundings): Record<string, Method> {
  const { chainKms } = manager.tools;
  if (!chainKms) return {};
  return {
    GetMeta: () => chainKms.meta(),
    GetAppEnvEncryptPubKey: (request) => chainKms.kms.envKey(hexBytes(request, 'app_id')),
  };
}

/** Relayed to the guest agent of the VM with this `id`. */
export function guestMethods({ manager }: Surroundings): Record<string, Method> {
  const vm = (request: Fields): ReturnType<Manager['get']> => manager.get(str(request, 'id'));
  return {
    Info: (request) => guestInfo(vm(request), manager.tools),
    SysInfo: (request) => sysInfo(vm(request), manager),
    NetworkInfo: (request) => networkInfo(vm(request), manager),
    ListContainers: (request) => listContainers(vm(request), manager),
    Shutdown: async (request) => (await manager.shutdown(str(request, 'id')), null),
  };
}

export async function call(
  methods: Record<string, Method>,
  name: string,
  request: unknown,
): Promise<unknown> {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (!method) throw new RpcError(`Service not found: ${name}`);
  return method(fields(request));
}

/** In the supervisor's format; the process is this program's, because containers have no separate one here. */
function processOf(vm: Vm): Record<string, unknown>[] {
  if (!vm.alive) return [];
  const note = JSON.stringify({ kind: 'cvm', live_for: null });
  return [
    { id: vm.id, name: vm.config.name, status: 'running', pid: process.pid, command: 'containers', note },
  ];
}

function image(name: string): Record<string, unknown> {
  const version = imageVersion(name);
  const dev = name.includes('-dev-');
  const description = {
    version,
    is_dev: dev,
    simulated: true,
    note: REVISION,
    os_image_hash: imageHash(name),
  };
  return { name, description: JSON.stringify(description), version, is_dev: dev };
}
