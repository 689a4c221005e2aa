/** Checks dstack-vmm makes before it creates or changes a CVM, with its own messages where they are known. */
import { guestFieldsOf, type GuestFields } from '../../console/lib/compose/guestFields';
import { readAppCompose } from './appCompose';
import { RpcError, type GpuConfig, type PortMapping, type VmConfiguration } from './wire';

const NAME = /^[A-Za-z0-9_\-. @~!$^()]*$/;
const IMAGE = /^[A-Za-z0-9_.-]{1,64}$/;
/** Limits of the guest for app-compose.json and user_config, in bytes. */
const MAX_COMPOSE = 50 * 2 ** 20;
const MAX_ENV = 256 * 1024;
const LIMITS = { vcpu: 1_024, memory: 16 * 2 ** 20, disk_size: 2 ** 20 };

export function checkConfiguration(config: VmConfiguration, images: readonly string[]): void {
  if (!NAME.test(config.name)) throw new RpcError('Invalid name: use letters, digits and -_. @~!$^()');
  if (config.name.length > 128) throw new RpcError('Invalid name: longer than 128 characters');
  checkImage(config.image, images);
  checkSize('vcpu', config.vcpu);
  checkSize('memory', config.memory);
  checkSize('disk_size', config.disk_size);
  if (config.app_id !== null && !/^[0-9a-f]{40}$/.test(config.app_id))
    throw new RpcError('Invalid app_id: expected 20 bytes of hex');
  checkCompose(config.compose_file, config.encrypted_env);
  if (Buffer.byteLength(config.user_config) > MAX_COMPOSE) throw new RpcError('user_config is too large');
  checkPorts(config.ports);
  checkGpus(config.gpus);
  checkNetworks(config.networks);
  if (config.networking) checkNetworks([config.networking]);
  if (config.simulated_tee !== null)
    throw new RpcError('tee simulator credentials are not configured on this VMM');
}

export function checkCompose(composeFile: string, encryptedEnv: string): void {
  if (Buffer.byteLength(composeFile) > MAX_COMPOSE)
    throw new RpcError('Invalid compose file: larger than 50 MiB');
  if (encryptedEnv.length / 2 > MAX_ENV) throw new RpcError('encrypted_env is larger than 256 KiB');
  const app = readAppCompose(composeFile);
  checkRequired(composeFile);
  if (encryptedEnv !== '' && ['none', 'local', 'tpm'].includes(app.key_provider)) {
    throw new RpcError(
      `Invalid compose file: an encrypted environment needs key provider kms, not ${app.key_provider}`,
    );
  }
}

export function checkImage(image: string, images: readonly string[]): void {
  if (!IMAGE.test(image) || image.includes('..')) throw new RpcError('Invalid image name');
  if (!images.includes(image)) throw new RpcError(`Image not found: ${image}`);
}

export function checkSize(name: keyof typeof LIMITS, value: number): void {
  if (value < 1 || value > LIMITS[name])
    throw new RpcError(`Invalid ${name}: must be from 1 to ${LIMITS[name]}`);
}

/** `[cvm.port_mapping] enabled=false`, the default of a real host. */
export function checkPorts(ports: readonly PortMapping[]): void {
  if (ports.length > 0) throw new RpcError('Port mapping is disabled');
}

export function checkGpus(gpus: GpuConfig | null): void {
  if (gpus && gpus.attach_mode !== 'listed' && gpus.attach_mode !== 'all')
    throw new RpcError(`Invalid GPU attach mode: ${gpus.attach_mode}`);
  if (gpus && (gpus.gpus.length > 0 || gpus.attach_mode === 'all')) throw new RpcError('GPU is not enabled');
}

/** Containers have only the engine's own network. */
export function checkNetworks(networks: VmConfiguration['networks']): void {
  for (const { mode, bridge_name } of networks) {
    if (mode === 'bridge') throw new RpcError(`bridge interface '${bridge_name}' does not exist`);
    if (mode !== '' && mode !== 'user') throw new RpcError(`Invalid networking mode: ${mode}`);
  }
}

/** This host has no TPM: such a VM is created, as on a real host without one, but never starts. */
export function needsTpm({ config }: { config: VmConfiguration }): boolean {
  try {
    return readAppCompose(config.compose_file).key_provider === 'tpm';
  } catch {
    return false;
  }
}

/** Not checked on reading: VMs created before this check still boot. */
function checkRequired(composeFile: string): void {
  const app = JSON.parse(composeFile) as Record<string, unknown>;
  for (const field of ['manifest_version', 'name', 'runner'])
    if (app[field] === undefined) throw new RpcError(`Invalid compose file: missing field \`${field}\``);
  // A guest would act on these; here they would have no effect.
  const [ignored] = Object.keys(guestFieldsOf(app as GuestFields)).filter((field) => field !== 'runner');
  if (ignored !== undefined)
    throw new RpcError(`Invalid compose file: the local teepod does not support ${ignored}`);
}
