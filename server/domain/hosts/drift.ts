import { createHash } from 'node:crypto';
import { uuidOfVmName } from '../cvms/vmName';
import { isSettled } from '../../../console/lib/cvms/allowedActions';

/** Differences between the database and the host about one CVM or VM. */
export type Drift =
  /** One of our VMs whose CVM is deleted, or is on another host. */
  | 'left_behind'
  /** A VM created outside Teehouse. */
  | 'foreign'
  /** A VM named after a CVM that uses another. */
  | 'duplicate'
  /** The host has no VM of this CVM. */
  | 'missing'
  | 'status'
  | 'resources'
  | 'compose';

export interface DriftCvm {
  vm_uuid: string;
  host_vm_id: string | null;
  status: string;
  desired: string;
}

export interface SizedCvm extends DriftCvm {
  vcpu: number;
  memory_mb: number;
  disk_gb: number;
  os_image: string;
  compose_hash: string;
}

export interface DriftVm {
  id: string;
  name: string;
  status: string;
}

export interface SizedVm extends DriftVm {
  configuration: {
    vcpu: number;
    memory: number;
    disk_size: number;
    image: string;
    compose_file: string;
  } | null;
}

/** Returns a CVM's VM: by the host's ID once it has one, because another with its name may hold other data. */
export const vmOf = <V extends DriftVm>(cvm: DriftCvm, vms: readonly V[]): V | undefined =>
  vms.find((vm) =>
    cvm.host_vm_id === null ? uuidOfVmName(vm.name) === cvm.vm_uuid : vm.id === cvm.host_vm_id,
  );

/** Returns the drift between a CVM and its VM; none during an operation. */
export function driftOfCvm(cvm: DriftCvm | SizedCvm, vm: DriftVm | SizedVm | undefined): Drift[] {
  if (!isSettled(cvm.status)) return [];
  if (!vm) {
    // Its team knows of a deployment that failed before it had a VM.
    const isMissing = cvm.host_vm_id !== null || (cvm.desired === 'running' && cvm.status !== 'error');
    return isMissing ? ['missing'] : [];
  }
  const found: Drift[] = isOtherStatus(cvm, vm) ? ['status'] : [];
  if (!('compose_hash' in cvm) || !('configuration' in vm) || vm.configuration === null) return found;
  const { vcpu, memory, disk_size, image, compose_file } = vm.configuration;
  if (vcpu !== cvm.vcpu || memory !== cvm.memory_mb || disk_size !== cvm.disk_gb || image !== cvm.os_image)
    found.push('resources');
  if (composeHash(compose_file) !== cvm.compose_hash) found.push('compose');
  return found;
}

function isOtherStatus(cvm: DriftCvm, vm: DriftVm): boolean {
  if (vm.status === 'unknown') return false;
  const up = vm.status === 'running';
  // Known to its team: down, or up with a guest that failed to boot. If that comes up after all, the reconciler records it.
  if (cvm.status === 'error') return up && cvm.desired !== 'running';
  return up !== (cvm.status === 'running') || (cvm.desired === 'running' && !up);
}

/** Returns the drift of a host's VM, given the database's CVM with that name on this host. */
export function driftOfVm(vm: DriftVm, cvm: DriftCvm | undefined): Drift[] {
  if (vm.status === 'removing') return [];
  if (uuidOfVmName(vm.name) === null && cvm === undefined) return ['foreign'];
  if (cvm === undefined) return ['left_behind'];
  return cvm.host_vm_id !== null && cvm.host_vm_id !== vm.id && isSettled(cvm.status) ? ['duplicate'] : [];
}

/** sha256 of the bytes the guest measures. */
export const composeHash = (compose_file: string) =>
  createHash('sha256').update(compose_file, 'utf8').digest('hex');

/** Counts per host, from a brief list. */
export function countDrift(cvms: readonly DriftCvm[], vms: readonly DriftVm[]): number {
  const byUuid = new Map(cvms.map((cvm) => [cvm.vm_uuid, cvm]));
  const byId = new Map(vms.map((vm) => [vm.id, vm]));
  const byName = new Map(vms.map((vm) => [uuidOfVmName(vm.name), vm]));
  const own = ({ host_vm_id, vm_uuid }: DriftCvm) =>
    host_vm_id === null ? byName.get(vm_uuid) : byId.get(host_vm_id);
  const wrong = cvms.filter((cvm) => driftOfCvm(cvm, own(cvm)).length > 0).length;
  const strange = vms.filter(
    (vm) => driftOfVm(vm, byUuid.get(uuidOfVmName(vm.name) ?? '')).length > 0,
  ).length;
  return wrong + strange;
}
