import type { Db, Tx } from '../core/client';

/** Returns the host's IDs of the VMs that the CVM gave up. */
export async function givenUpVms(db: Db | Tx, cvm_id: number): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('given_up_vms')
    .select('host_vm_id')
    .where('cvm_id', '=', cvm_id)
    .orderBy('id', 'desc')
    .limit(1000)
    .execute();
  return new Set(rows.map(({ host_vm_id }) => host_vm_id));
}
