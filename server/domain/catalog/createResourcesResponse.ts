import type {
  CvmCreateGateway,
  CvmCreateInstanceType,
  CvmCreateKms,
  CvmCreateNodeKms,
  GpuAvailability,
  KmsType,
} from '../../../generated/api/types.gen';
import { kmsOut, type InstanceTypeFields, type KmsFields } from './catalogResponse';

// Parts of getCvmCreateResources, from which clients choose a deployment's options.

/** Names per service or host. */
const MAX_IMAGES = 200;

type TypedKms = KmsFields & { type: KmsType };

/** @param images names of OS images on its hosts */
export const createKmsOut = (
  kms: TypedKms,
  kms_contract_id: string | null,
  images: readonly string[],
): CvmCreateKms => {
  const { id, slug, url, version, chain_id, kms_contract_address, gateway_app_id } = kmsOut(kms);
  return {
    id,
    slug,
    url,
    version,
    kms_type: kms.type,
    chain_id,
    kms_contract_id,
    kms_contract_address,
    gateway_app_id,
    supported_os_images: images.slice(0, MAX_IMAGES),
  };
};

/** @param images names of OS images on the host */
export const createNodeKmsOut = (
  teepod_id: number,
  kms: TypedKms,
  kms_contract_id: string,
  images: readonly string[],
): CvmCreateNodeKms => ({
  teepod_id,
  kms_id: kms.public_id,
  kms_type: kms.type,
  kms_contract_id,
  kms_contract_address: kms.kms_contract_address,
  supported_os_images: images.slice(0, MAX_IMAGES),
});

/** Every host has one gateway, so the host's number identifies it. */
export const createGatewayOut = (
  teepod_id: number,
  kms_contract_id: string,
  domain_suffix: string,
): CvmCreateGateway => ({
  id: `gw_${teepod_id}`,
  teepod_id,
  kms_contract_id,
  rpc_url: null,
  domain_suffix,
  enabled: true,
});

export const createInstanceTypeOut = (
  type: InstanceTypeFields & { sort_order: number },
): CvmCreateInstanceType => ({
  id: type.id,
  name: type.name,
  vcpu: type.vcpu,
  memory_mb: type.memory_mb,
  default_disk_size_gb: type.default_disk_size_gb,
  requires_gpu: type.requires_gpu,
  requires_gpu_count: type.requires_gpu ? Math.max(1, type.gpu_count) : 0,
  family: type.family,
  display_order: type.sort_order,
});

interface GpuCount {
  product_id: string | null;
  description: string;
  /** Reserved for the team. */
  reserved: boolean;
  count: number;
}

/** GPUs that an administrator added without a product count only in the sums. */
export function gpuAvailabilityOut(counts: readonly GpuCount[]): GpuAvailability {
  const sum = (some: readonly GpuCount[]) => some.reduce((total, { count }) => total + count, 0);
  const reserved = sum(counts.filter((one) => one.reserved));
  const open = sum(counts.filter((one) => !one.reserved));
  const products = [...new Set(counts.flatMap(({ product_id }) => product_id ?? []))];
  return {
    has_reserved_gpus: reserved > 0,
    reserved_gpu_count: reserved,
    has_public_gpus: open > 0,
    public_gpu_count: open,
    available_by_product: products.map((product_id) => {
      const of = counts.filter((one) => one.product_id === product_id);
      return { product_id, display_name: of[0]?.description || null, count: sum(of) };
    }),
  };
}
