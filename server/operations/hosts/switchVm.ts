import { addEvent } from '../../db/activity/operations';
import type { Tx } from '../../db/core/client';
import { insertGivenUp } from '../../db/cvms/givenUpVms';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import type { TeepodRow } from '../../db/hosts/teepodsTable';
import type { VmInfo } from '../../drivers/vmm';

/**
 * Switches a CVM to another VM with its name, chosen by an administrator, such as after a database restore. The
 * previous VM stays on record and is never removed automatically.
 */
export async function switchVm(
  trx: Tx,
  cvm: CvmRow,
  teepod: TeepodRow,
  vm: VmInfo,
  user_id: number | null,
): Promise<void> {
  const { host_vm_id } = cvm;
  if (host_vm_id !== null)
    await insertGivenUp(trx, { cvm_id: cvm.id, teepod_id: teepod.id, host_vm_id, given_up_by: user_id });
  await trx
    .updateTable('given_up_vms')
    .set({ taken_back_at: new Date() })
    .where('cvm_id', '=', cvm.id)
    .where('host_vm_id', '=', vm.id)
    .execute();
  await trx
    .updateTable('cvms')
    .set({ host_vm_id: vm.id, instance_id: vm.instance_id ?? cvm.instance_id, updated_at: new Date() })
    .where('id', '=', cvm.id)
    .execute();
  await addEvent(trx, {
    cvm,
    kind: 'cvm.vm_chosen',
    severity: 'warning',
    message: `An administrator chose another VM on ${teepod.name} for this CVM`,
    data: { host_vm_id: vm.id, before: cvm.host_vm_id },
  });
}
