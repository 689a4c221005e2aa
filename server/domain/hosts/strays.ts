import { uuidOfVmName } from '../cvms/vmName';

/** Which of a host's VMs are leftovers and removed automatically. Rules without I/O. */

export type StrayReason = 'cvm_deleted' | 'cvm_moved';

/** The database's knowledge of a VM listed by a host. */
export interface StrayFacts {
  vm: { id: string; name: string; status: string };
  /** A CVM names it as its VM, or gave it up. */
  is_named: boolean;
  /** The CVM it is named after. */
  cvm:
    | { vm_uuid: string; status: string; purge_at: Date | null; teepod_id: number; updated_at: Date }
    | undefined;
  /** The teepod that lists it. */
  teepod_id: number;
  /** An operation moved the CVM from or to this teepod. A restored database may not know of the move. */
  has_moved: boolean;
  asked_at: Date;
}

/**
 * Returns why a VM is left over from a deletion or a move that a user or an administrator requested; null if it
 * isn't. A VM that any CVM names or gave up never is, on whatever teepod row, because two rows may lead to the
 * same host. Neither is a CVM's second VM: it may hold the data.
 */
export function strayReason(facts: StrayFacts): StrayReason | null {
  const { vm, cvm, is_named, teepod_id, has_moved, asked_at } = facts;
  if (uuidOfVmName(vm.name) === null || vm.status === 'removing' || is_named) return null;
  if (!cvm || cvm.updated_at >= asked_at) return null;
  // In the recycle bin, a CVM keeps its VM until it is purged.
  if (cvm.status === 'deleted' && cvm.purge_at === null) return 'cvm_deleted';
  return cvm.status === 'running' && cvm.teepod_id !== teepod_id && has_moved ? 'cvm_moved' : null;
}

/** More strays than this share of a host's VMs point to a wrong database or address, not to leftovers. */
const MAX_STRAY_SHARE = 0.1;
/** Always allowed, so that small hosts are cleaned up, too. */
const MIN_STRAYS = 3;

/** Whether suspiciously many of a host's VMs look left over, so that none is removed. */
export const isSuspicious = (strays: number, vms: number): boolean =>
  strays > Math.max(MIN_STRAYS, Math.floor(vms * MAX_STRAY_SHARE));
