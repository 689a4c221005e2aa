import type {
  AvailableTeepod,
  CvmDetail,
  InstanceType,
  ProvisionCvm,
  UpdateCvmResources,
} from '../../../../generated/api/types.gen';
import { checkForm, CUSTOM, type DeployForm, emptyForm, type FieldErrors, toProvision } from './form';
import type { SizeFields } from './SizeSection';

/** Returns why only the CVM's disk can change; undefined if the rest can, too. */
export const onlyDisk = ({ resource }: Pick<CvmDetail, 'resource'>): string | undefined =>
  (resource.gpus ?? 0) > 0
    ? 'A CVM with GPUs keeps the vCPU and memory of its instance type; only its disk can grow. For another size, deploy a new CVM.'
    : undefined;

/** The CVM's current size as field values. */
export function sizeOf(
  cvm: Pick<CvmDetail, 'resource' | 'instance_type'>,
  sizes: readonly InstanceType[],
): SizeFields {
  const { vcpu, memory_in_gb, disk_in_gb } = cvm.resource;
  return {
    size: sizes.some(({ id }) => id === cvm.instance_type) ? cvm.instance_type! : CUSTOM,
    vcpu: String(vcpu ?? ''),
    memory_gb: String(memory_in_gb ?? ''),
    disk_gb: String(disk_in_gb ?? ''),
  };
}

/** API names of the size fields. */
export const SIZE_FIELDS = ['instance_type', 'vcpu', 'memory', 'disk_size'];

/** Returns the size after another member changed these fields. */
export function sizeAfter(
  changed: Readonly<Record<string, unknown>>,
  base: SizeFields,
  sizes: readonly InstanceType[],
): SizeFields {
  const { instance_type, vcpu, memory, disk_size } = changed;
  const listed = sizes.some(({ id }) => id === instance_type);
  return {
    size: instance_type === undefined ? base.size : listed ? String(instance_type) : CUSTOM,
    vcpu: vcpu === undefined ? base.vcpu : String(vcpu),
    memory_gb: memory === undefined ? base.memory_gb : String(Number(memory) / 1024),
    disk_gb: disk_size === undefined ? base.disk_gb : String(disk_size),
  };
}

export function checkResize(fields: SizeFields, now: SizeFields): FieldErrors {
  const { size, vcpu, memory_gb, disk_gb } = checkForm({ ...emptyForm, ...fields });
  const errors: FieldErrors = {
    ...(size ? { size } : {}),
    ...(vcpu ? { vcpu } : {}),
    ...(memory_gb ? { memory_gb } : {}),
    ...(disk_gb ? { disk_gb } : {}),
  };
  if (!errors.disk_gb && fields.disk_gb.trim() !== '' && Number(fields.disk_gb) < Number(now.disk_gb))
    errors.disk_gb = `Must be at least the current ${now.disk_gb} GB; disks can’t shrink.`;
  return errors;
}

/** Only what changes; null when nothing does. */
export function toResources(fields: SizeFields, now: SizeFields): UpdateCvmResources | null {
  const custom = fields.size === CUSTOM;
  const sameSize = custom
    ? Number(fields.vcpu) === Number(now.vcpu) && Number(fields.memory_gb) === Number(now.memory_gb)
    : fields.size === now.size;
  const disk = fields.disk_gb.trim() === '' ? Number(now.disk_gb) : Number(fields.disk_gb);
  const body: UpdateCvmResources = {
    ...(sameSize
      ? {}
      : custom
        ? { vcpu: Number(fields.vcpu), memory: Math.round(Number(fields.memory_gb) * 1024) }
        : { instance_type: fields.size }),
    ...(disk === Number(now.disk_gb) ? {} : { disk_size: disk }),
  };
  return Object.keys(body).length === 0 ? null : body;
}

/** Requests the price of this size, with a placeholder name and compose file. */
export const priceBody = (fields: SizeFields & Partial<DeployForm>): ProvisionCvm =>
  toProvision({
    ...emptyForm,
    ...fields,
    name: 'price-only',
    compose: 'services:\n  app:\n    image: price\n',
  });

/** Returns the largest listed size that fits on one of these hosts. */
export function largestThatFits(
  sizes: readonly InstanceType[],
  hosts: readonly Pick<AvailableTeepod, 'remaining_vcpu' | 'remaining_memory' | 'remaining_cvm_slots'>[],
): string | null {
  const fitting = sizes.filter((type) =>
    hosts.some(
      (host) =>
        host.remaining_cvm_slots > 0 &&
        host.remaining_vcpu >= type.vcpu &&
        host.remaining_memory >= type.memory_mb,
    ),
  );
  return fitting.sort((a, b) => b.memory_mb - a.memory_mb || b.vcpu - a.vcpu)[0]?.id ?? null;
}
