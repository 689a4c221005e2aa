import { uuidOfVmName } from '../cvms/vmName';

/** Which VMs of a host are left over and removed automatically. Rules without IO. */

export type StrayReason = 'cvm_deleted' | 'cvm_moved';

/** What the database knows of a VM that a host lists. */
export interface StrayFacts {
  vm: { id: string; name: string; status: string };
  /** A CVM names it as its VM, or gave it up. */
  is_named: boolean;
  /** The CVM of its name. */
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
 * Returns why a VM is left over from a deletion or a move that a user or an administrator requested; null if it isn't. A
 * VM that any CVM names or gave up never is, on whatever teepod row: two rows may lead to the same host. Neither is a
 * second VM of a CVM: it may hold the data.
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

/** Whether so many of a host's VMs look left over that none is removed. */
export const isSuspicious = (strays: number, vms: number): boolean =>
  strays > Math.max(MIN_STRAYS, Math.floor(vms * MAX_STRAY_SHARE));
