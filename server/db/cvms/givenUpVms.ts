import { sql } from 'kysely';
import type { Db, Tx } from '../core/client';
import type { PortMapping } from '../../domain/hosts/attachments';
import type { CvmRow } from './cvmsTable';
import { toJson } from '../core/json';

/** Returns which of these VMs the CVM gave up. `listed`: the host's VM IDs. */
export async function givenUpVms(
  db: Db | Tx,
  cvm_id: number,
  listed: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('given_up_vms')
    .select('host_vm_id')
    .where('cvm_id', '=', cvm_id)
    .where('host_vm_id', '=', sql<string>`any(${[...listed]}::text[])`)
    .where('taken_back_at', 'is', null)
    .execute();
  return new Set(rows.map(({ host_vm_id }) => host_vm_id));
}

/** Records that the CVM gave up this VM, also if it did before and an administrator chose the VM again since. */
export async function insertGivenUp(
  trx: Tx,
  vm: { cvm_id: number; teepod_id: number; host_vm_id: string; given_up_by: number | null },
): Promise<void> {
  const { given_up_by } = vm;
  await trx
    .insertInto('given_up_vms')
    .values(vm)
    .onConflict((conflict) =>
      conflict.columns(['cvm_id', 'host_vm_id']).doUpdateSet({
        given_up_at: new Date(),
        given_up_by,
        released_at: null,
        taken_back_at: null,
      }),
    )
    .execute();
}

export interface VmPort extends PortMapping {
  /** IP address of the host. */
  host_address: string;
}

/** VMs handled per host and round; the rest follow in the next. */
const BATCH_SIZE = 20;

export interface HeldVm {
  host_vm_id: string;
  cvm: Pick<CvmRow, 'id' | 'team_id' | 'app_id'>;
}

/**
 * Returns the given-up VMs among those listed by a host that may still hold its ports and GPUs. Excludes VMs in
 * use by a CVM, because an administrator may have chosen one again.
 */
export async function heldVms(db: Db, teepod_id: number, listed: readonly string[]): Promise<HeldVm[]> {
  if (listed.length === 0) return [];
  const { rows } = await sql<{ host_vm_id: string; id: number; team_id: number; app_id: number }>`
    select g.host_vm_id, c.id, c.team_id, c.app_id
    from given_up_vms g join cvms c on c.id = g.cvm_id
    where g.teepod_id = ${teepod_id} and g.released_at is null and g.taken_back_at is null and g.host_vm_id = any(${[...listed]}::text[])
      and not exists (select 1 from cvms u where u.host_vm_id = g.host_vm_id and (u.status <> 'deleted' or u.purge_at is not null))
    order by g.id limit ${BATCH_SIZE}`.execute(db);
  return rows.map(({ host_vm_id, ...cvm }) => ({ host_vm_id, cvm }));
}

/** Returns the ports taken from a VM while its CVM had given it up, as its host reported them. */
export async function releasedPorts(db: Db, cvm_id: number, host_vm_id: string): Promise<VmPort[]> {
  const row = await db
    .selectFrom('given_up_vms')
    .select('released_ports')
    .where('cvm_id', '=', cvm_id)
    .where('host_vm_id', '=', host_vm_id)
    .executeTakeFirst();
  return row?.released_ports ?? [];
}

/** @param ports the ports it had; null if it had neither ports nor GPUs */
export const markReleased = (trx: Tx, teepod_id: number, host_vm_id: string, ports: VmPort[] | null) =>
  trx
    .updateTable('given_up_vms')
    .set({
      released_at: new Date(),
      ...(ports === null ? {} : { released_ports: toJson(ports) }),
    })
    .where('teepod_id', '=', teepod_id)
    .where('host_vm_id', '=', host_vm_id)
    .where('released_at', 'is', null)
    .returning('id')
    .execute();
