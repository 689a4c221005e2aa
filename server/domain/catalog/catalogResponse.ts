import type {
  AvailableImage,
  AvailableTeepod,
  InstanceType,
  KmsInfo,
  KmsOnChainContract,
  OsImage,
} from '../../../generated/api/types.gen';
import { formatMicros } from '../../../console/lib/billing/money';
import { versionTuple } from '../core/versions';
import { presentedPin } from '../kms/kmsKeys';

export interface KmsFields {
  public_id: string;
  slug: string;
  url: string;
  version: string;
  chain_id: number | null;
  kms_contract_address: string | null;
  gateway_app_id: string | null;
  k256_pubkey: string | null;
  next_k256_pubkey: string | null;
  seen_k256_pubkey: string | null;
}

export const kmsOut = (kms: KmsFields): KmsInfo => ({
  id: kms.public_id,
  slug: kms.slug,
  // A socket path is useless to clients and reveals where the server keeps its data.
  url: kms.url.startsWith('unix:') ? 'unix:local' : kms.url,
  version: kms.version,
  chain_id: kms.chain_id,
  kms_contract_address: kms.kms_contract_address,
  gateway_app_id: kms.gateway_app_id,
  // Clients expect its signatures from this key.
  k256_pubkey: presentedPin(kms),
});

export interface InstanceTypeFields {
  id: string;
  name: string;
  description: string;
  vcpu: number;
  memory_mb: number;
  hourly_rate_micros: number;
  requires_gpu: boolean;
  gpu_count: number;
  default_disk_size_gb: number;
  family: string;
}

export const instanceTypeOut = (type: InstanceTypeFields): InstanceType => ({
  id: type.id,
  name: type.name,
  description: type.description,
  vcpu: type.vcpu,
  memory_mb: type.memory_mb,
  hourly_rate: formatMicros(type.hourly_rate_micros),
  requires_gpu: type.requires_gpu,
  gpu_count: type.gpu_count,
  default_disk_size_gb: type.default_disk_size_gb,
  family: type.family,
});

export interface OsImageFields {
  name: string;
  slug: string;
  version: string;
  os_image_hash: string | null;
  is_dev: boolean;
  requires_gpu: boolean;
}

export const osImageOut = (image: OsImageFields): OsImage => ({
  name: image.name,
  slug: image.slug,
  version: image.version,
  os_image_hash: image.os_image_hash,
  is_dev: image.is_dev,
  requires_gpu: image.requires_gpu,
});

export interface AvailableHost {
  teepod_id: number;
  name: string;
  kind: 'dstack_vmm' | 'local';
  listed: boolean;
  region: string | null;
  fmspc: string | null;
  device_id: string | null;
  max_cvms: number;
  max_vcpu: number;
  max_memory_mb: number;
  kms_slug: string | null;
}

export interface Free {
  slots: number;
  vcpu: number;
  memory_mb: number;
  port_mapping: boolean;
  attach_all_gpus: boolean;
  tee: 'tdx' | 'sev_snp' | null;
}

/** Returns the free share of a host's scarcest resource, 0 to 1. */
function resourceScore(host: AvailableHost, free: Free): number {
  const part = (left: number, all: number) => (all > 0 ? Math.max(0, left) / all : 0);
  const score = Math.min(
    part(free.slots, host.max_cvms),
    part(free.vcpu, host.max_vcpu),
    part(free.memory_mb, host.max_memory_mb),
  );
  return Math.round(score * 1000) / 1000;
}

export interface HostImage {
  name: string;
  version: string;
  is_dev: boolean;
  os_image_hash: string | null;
}

export const availableTeepodOut = (
  host: AvailableHost,
  free: Free,
  images: readonly HostImage[],
  kms: readonly { slug: string; chain_id: number | null }[],
): AvailableTeepod => ({
  teepod_id: host.teepod_id,
  name: host.name,
  listed: host.listed,
  resource_score: resourceScore(host, free),
  remaining_vcpu: Math.max(0, free.vcpu),
  remaining_memory: Math.max(0, free.memory_mb),
  remaining_cvm_slots: Math.max(0, free.slots),
  images: images.slice(0, 200).map(imageOut),
  support_onchain_kms: kms.some(({ chain_id }) => chain_id !== null),
  fmspc: host.fmspc,
  device_id: host.device_id,
  region_identifier: host.region,
  default_kms: host.kms_slug,
  kms_list: kms.map(({ slug }) => slug),
  local: host.kind === 'local',
  port_mapping: free.port_mapping,
  attach_all_gpus: free.attach_all_gpus,
  tee: free.tee,
});

const imageOut = (image: HostImage): AvailableImage => ({
  name: image.name,
  is_dev: image.is_dev,
  version: versionTuple(image.version),
  os_image_hash: image.os_image_hash,
});

export interface ContractFields {
  kms_contract_address: string;
  devices: { device_id: string; node_name: string }[];
  os_images: { name: string; version: string; os_image_hash: string | null }[];
}

export const MAX_LISTED = 1000;

/**
 * Returns a KMS contract. @param allowed the chain's view of its devices and images, in order; null if it
 * couldn't be read
 */
export const contractOut = (
  contract: ContractFields,
  chain: { chain_id: number; chain_name: string },
  allowed: { devices: readonly boolean[]; os_images: readonly (boolean | null)[] } | null,
): KmsOnChainContract => ({
  contract_address: contract.kms_contract_address,
  ...chain,
  devices: contract.devices
    .slice(0, MAX_LISTED)
    .map((device, i) => ({ ...device, on_chain_allowed: allowed?.devices[i] ?? null })),
  os_images: contract.os_images
    .slice(0, MAX_LISTED)
    .map((image, i) => ({ ...image, on_chain_allowed: allowed?.os_images[i] ?? null })),
});
