import { CUSTOM_DISK_GB } from '../../../../console/lib/billing/spend';
import { counted } from '../../../../console/lib/texts/count';
import type { ProvisionCvm } from '../../../../generated/api/types.gen';
import { listActiveInstanceTypes } from '../../../db/catalog/catalog';
import type { InstanceTypeRow } from '../../../db/catalog/instanceTypesTable';
import type { Db } from '../../../db/core/client';
import { Problem } from '../../../domain/core/problem';
import type { Size } from '../../../domain/hosts/scheduler';

/**
 * Returns the size of a requested CVM, and its instance type unless vCPUs or memory differ from it.
 * @throws INSTANCE_TYPE_NOT_FOUND, INCOMPATIBLE_CONFIG
 */
export async function sizeOf(
  db: Db,
  body: ProvisionCvm,
): Promise<{ size: Size; gpus: number; instance_type: InstanceTypeRow | null }> {
  const types = await listActiveInstanceTypes(db);
  const custom = body.vcpu !== undefined || body.memory !== undefined;
  const id = body.instance_type ?? (custom ? undefined : 'tdx.small');
  const found = types.find((type) => type.id === id);
  if (id && !found) {
    throw new Problem('INSTANCE_TYPE_NOT_FOUND', {
      details: [{ field: 'instance_type', value: id, message: `Unknown instance type “${id}”` }],
      suggestions: [`Use one of ${types.map((type) => type.id).join(', ')}.`],
    });
  }
  const size = {
    vcpu: body.vcpu ?? found?.vcpu ?? 1,
    memory_mb: body.memory ?? found?.memory_mb ?? 2048,
    disk_gb: body.disk_size ?? found?.default_disk_size_gb ?? CUSTOM_DISK_GB,
  };
  const asListed = found && size.vcpu === found.vcpu && size.memory_mb === found.memory_mb;
  const gpus = found ? gpusOf(found) : 0;
  if (body.gpus) checkGpus(body.gpus, gpus, found?.id ?? 'The requested size');
  // A GPU is priced only as part of its instance type.
  if (gpus > 0 && !asListed)
    throw new Problem('INCOMPATIBLE_CONFIG', {
      message: `${found?.id} has ${found?.vcpu} vCPU and ${found?.memory_mb} MB of memory, which can't be changed for GPU types.`,
      details: [{ field: body.vcpu === undefined ? 'memory' : 'vcpu' }],
    });
  return { size, gpus, instance_type: asListed ? found : null };
}

/** Number of GPUs that a CVM of this type has. */
export const gpusOf = ({ requires_gpu, gpu_count }: InstanceTypeRow): number =>
  requires_gpu ? Math.max(1, gpu_count) : 0;

/** No part of a GPU request may be ignored. @throws INCOMPATIBLE_CONFIG */
function checkGpus(
  { count, product_name, attach_mode }: NonNullable<ProvisionCvm['gpus']>,
  has: number,
  name: string,
) {
  if (attach_mode === 'all' && has === 0)
    throw new Problem('INCOMPATIBLE_CONFIG', {
      message: `${name} has no GPUs.`,
      details: [{ field: 'gpus.attach_mode', message: `${name} has no GPUs.` }],
      suggestions: ['Choose a GPU instance type, or leave gpus.attach_mode out.'],
    });
  if (count !== undefined && count !== has)
    throw new Problem('INCOMPATIBLE_CONFIG', {
      message: `${name} has ${counted(has, ['GPU', 'GPUs'])}, not ${count}.`,
      details: [{ field: 'gpus.count', value: count }],
      suggestions: ['Choose an instance type with this number of GPUs, or leave gpus out.'],
    });
  if (product_name)
    throw new Problem('INCOMPATIBLE_CONFIG', {
      message: "The GPU product can't be chosen: it depends on the host that has capacity.",
      details: [{ field: 'gpus.product_name', value: product_name }],
      suggestions: ['Leave gpus.product_name out, or choose a host with teepod_id.'],
    });
}
