import { isSettled } from '../../../console/lib/cvms/allowedActions';
import type { CvmDesired, CvmStatus } from './cvmStates';
import { uuidOfVmName } from './vmName';
import { isUp } from './vmState';

/**
 * The reconciler's decision about one CVM, from the database's row and the host's report. Rules without I/O, so
 * that a model test can run them against any sequence of host faults. Two of them protect customers' disks: a
 * VM is created only for a CVM that has none on its host, and no VM that a CVM ever had is removed unless a
 * user or an administrator requested it.
 */

/** The database's row, as far as the rules need it. */
export interface KnownCvm {
  status: CvmStatus;
  desired: CvmDesired;
  /** The VM it has on its host; null before it is created and after it was given up. */
  host_vm_id: string | null;
  instance_id: string | null;
  boot_progress: string | null;
  /** Since when its host has not listed its VM. */
  missing_since: Date | null;
  /** Set in the recycle bin. */
  purge_at: Date | null;
}

/** The host's report of a VM. */
interface SeenVm {
  id: string;
  status: string;
  boot_progress: string;
  boot_error: string;
  instance_id: string | null;
}

/** A host's knowledge of a VM that it doesn't list, after it was asked to reload its VMs. */
export interface Inquiry {
  /** Whether the host's supervisor still runs the VM's process. */
  process_runs: boolean;
}

export type Decision =
  | 'none'
  /** Store the host's report of a healthy VM. */
  | 'record'
  /** Record that the host doesn't list its VM. */
  | 'note_missing'
  /** Record that it lists it again. */
  | 'note_listed'
  /** It has been missing for long enough: ask the host to reload its VMs. */
  | 'inquire'
  | 'lose'
  /** It runs although it was lost or in an error state. */
  | 'recover'
  /** It is listed again and should be stopped. */
  | 'find_stopped'
  | 'start'
  | 'stop'
  | 'delete';

/** A host that is restarting may list its VMs only after a while. */
const MISSING_GRACE_MS = 30_000;

/** VM statuses in which a stop succeeds or changes nothing. */
const STOPPABLE: ReadonlySet<string> = new Set(['running', 'stopped', 'exited']);

/** A VM that its host is removing counts as gone. */
const isThere = (vm: { status: string }): boolean => vm.status !== 'removing';

/** @param asked_at when the host was queried @param inquiry only after the decision `inquire` */
export function decide(
  cvm: KnownCvm,
  vm: SeenVm | undefined,
  asked_at: Date,
  inquiry: Inquiry | null = null,
): Decision {
  if (!isSettled(cvm.status)) return 'none';
  if (cvm.desired === 'deleted') return cvm.status === 'stopped' ? 'none' : 'delete';
  if (vm === undefined || !isThere(vm)) return ofUnlisted(cvm, asked_at, inquiry);
  // A host that has just restarted and has not queried its engine yet.
  if (vm.status === 'running' && vm.boot_progress === 'recovering') return 'none';
  const listed = cvm.missing_since === null ? 'none' : 'note_listed';
  switch (cvm.status) {
    case 'lost':
      return ofFound(cvm, vm);
    case 'stopped':
      return cvm.desired === 'stopped' && vm.status === 'running' ? 'stop' : listed;
    case 'error':
      // A stop that failed, perhaps because its host didn't respond: it is repeated, even if the VM is down by now.
      if (cvm.desired === 'stopped') return STOPPABLE.has(vm.status) ? 'stop' : listed;
      return isUp(vm) ? 'recover' : listed;
    default:
      if (cvm.desired !== 'running') return listed;
      if (!isUp(vm)) return 'start';
      return isAsRecorded(cvm, vm) ? listed : 'record';
  }
}

const isAsRecorded = (cvm: KnownCvm, vm: SeenVm): boolean =>
  cvm.boot_progress === vm.boot_progress && cvm.instance_id === (vm.instance_id ?? cvm.instance_id);

function ofUnlisted(cvm: KnownCvm, asked_at: Date, inquiry: Inquiry | null): Decision {
  // It has nothing on a host yet, or anymore, so nothing is missing.
  if (cvm.host_vm_id === null)
    return cvm.status === 'running' && cvm.desired === 'running' ? 'start' : 'none';
  if (cvm.status === 'lost' || cvm.purge_at !== null) return 'none';
  if (cvm.missing_since === null) return 'note_missing';
  if (asked_at.getTime() - cvm.missing_since.getTime() < MISSING_GRACE_MS) return 'none';
  if (inquiry === null) return 'inquire';
  // The host is asked again after another grace period.
  return inquiry.process_runs ? 'note_missing' : 'lose';
}

/** Decides for a lost CVM whose VM is listed again. */
function ofFound(cvm: KnownCvm, vm: SeenVm): Decision {
  if (cvm.desired === 'stopped') return 'find_stopped';
  if (vm.status === 'unknown') return 'none';
  return isUp(vm) ? 'recover' : 'start';
}

/** Automatic starts per CVM within an hour before the reconciler leaves it to a user. */
const STARTS_PER_HOUR = 3;

/** Whether a CVM that should run is started again, after that many automatic starts within the hour. */
export const mayStartAgain = (starts: number, vm: Pick<SeenVm, 'boot_error'> | undefined): boolean =>
  starts < STARTS_PER_HOUR && !vm?.boot_error;

/** A VM in a host's list. */
interface ListedVm {
  id: string;
  name: string;
  status: string;
}

/**
 * Returns the CVM's VM in its host's list. Once the CVM has one, only that one: another with its name may hold
 * other data. Before that, by name, because the response of CreateVm may have been lost; but never one that was
 * given up.
 */
export function ownVm<V extends ListedVm>(
  cvm: { vm_uuid: string; host_vm_id: string | null },
  listed: readonly V[],
  given_up: ReadonlySet<string>,
): V | undefined {
  if (cvm.host_vm_id !== null) return listed.find((vm) => vm.id === cvm.host_vm_id && isThere(vm));
  return listed.find((vm) => uuidOfVmName(vm.name) === cvm.vm_uuid && isThere(vm) && !given_up.has(vm.id));
}

/** Whether an operation may create a VM for it: only if it has had none on this host, or gave up the one it had. */
export const mayCreateVm = (cvm: Pick<KnownCvm, 'host_vm_id'>): boolean => cvm.host_vm_id === null;
