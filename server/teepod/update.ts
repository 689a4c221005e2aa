/** Changes UpdateVm and ResizeVm may make. They apply at the next boot. */
import { checkCompose, checkGpus, checkImage, checkNetworks, checkPorts, checkSize } from './validate';
import type { VmStatus } from './vm';
import { RpcError, type UpdateVmRequest, type VmConfiguration } from './wire';

export type Size = Partial<Pick<UpdateVmRequest, 'vcpu' | 'memory' | 'disk_size' | 'image'>>;

/** Empty values keep the current ones: an environment can be replaced but not cleared. @throws {RpcError} */
export function updatedConfig(
  before: VmConfiguration,
  status: VmStatus,
  request: UpdateVmRequest,
  images: readonly string[],
): VmConfiguration {
  const config = structuredClone(before);
  if (request.compose_file !== '') config.compose_file = request.compose_file;
  if (request.encrypted_env !== '') config.encrypted_env = request.encrypted_env;
  if (request.user_config !== '') config.user_config = request.user_config;
  if (request.update_ports) config.ports = request.ports;
  if (request.update_kms_urls) config.kms_urls = request.kms_urls;
  if (request.update_gateway_urls) config.gateway_urls = request.gateway_urls;
  if (request.gpus) config.gpus = request.gpus;
  if (request.no_tee !== null) config.no_tee = request.no_tee;
  if (request.update_networking) config.networks = request.networks;
  checkPorts(config.ports);
  if (request.update_networking) checkNetworks(config.networks);
  checkGpus(config.gpus);
  checkCompose(config.compose_file, config.encrypted_env);
  const sized = [request.vcpu, request.memory, request.disk_size, request.image].some(
    (value) => value !== null,
  );
  return sized ? resizedConfig(config, status, request, images) : config;
}

/** @throws {RpcError} */
export function resizedConfig(
  before: VmConfiguration,
  status: VmStatus,
  size: Size,
  images: readonly string[],
): VmConfiguration {
  if (status !== 'stopped' && status !== 'exited')
    throw new RpcError('VM must be stopped before changing its size or image');
  const config = structuredClone(before);
  for (const name of ['vcpu', 'memory', 'disk_size'] as const) {
    const value = size[name] ?? null;
    if (value === null) continue;
    checkSize(name, value);
    if (name === 'disk_size' && value < config.disk_size) throw new RpcError('Cannot shrink disk size');
    config[name] = value;
  }
  if (size.image != null) {
    checkImage(size.image, images);
    config.image = size.image;
  }
  return config;
}
