import type { CvmDetail } from '../../../../generated/api/types.gen';
import { CUSTOM } from '../deploy/form';
import { guestFormOf } from '../deploy/guestForm';
import { nextName, type Start } from './search';

type Source = Pick<
  CvmDetail,
  | 'compose_file'
  | 'instance_type'
  | 'resource'
  | 'public_logs'
  | 'public_sysinfo'
  | 'public_tcbinfo'
  | 'gateway_enabled'
>;

/** Fills the deploy form like one of the app's CVMs, without data and secret values. Pure. */
export function copyOf(name: string, cvm: Source): Start {
  const file = cvm.compose_file;
  const { vcpu, memory_in_gb, disk_in_gb } = cvm.resource;
  return {
    ...(file ? guestFormOf(file) : {}),
    name: nextName(name),
    compose: file?.docker_compose_file ?? '',
    pre_launch_script: file?.pre_launch_script ?? '',
    public_logs: cvm.public_logs,
    public_sysinfo: cvm.public_sysinfo,
    public_tcbinfo: cvm.public_tcbinfo,
    gateway_enabled: cvm.gateway_enabled,
    kms_enabled: file?.kms_enabled ?? true,
    secure_time: file?.secure_time ?? false,
    storage_fs: file?.storage_fs === 'ext4' ? 'ext4' : '',
    secrets: (file?.allowed_envs ?? []).map((key) => ({ key, value: '' })),
    size: cvm.instance_type ?? CUSTOM,
    ...(vcpu === null || memory_in_gb === null
      ? {}
      : { vcpu: String(vcpu), memory_gb: String(memory_in_gb) }),
    disk_gb: String(disk_in_gb ?? ''),
  };
}
