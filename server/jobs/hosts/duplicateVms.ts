import type { Db } from '../../db/core/client';
import { cvmsNamedBy } from '../../db/hosts/duplicates';
import { forgetDuplicates, sizedDuplicates, storeDuplicate } from '../../db/hosts/duplicateVms';
import type { TeepodRow } from '../../db/hosts/teepodsTable';
import { uuidOfVmName } from '../../domain/cvms/vmName';
import { isDuplicate, timeOf } from '../../domain/hosts/duplicates';
import type { VmInfo, VmmDriver } from '../../drivers/vmm';

/** VMs checked per host, which may list any number under any names. */
const MAX_DUPLICATES = 200;
/** Configurations read per round; the rest follow in the next. */
const MAX_READS = 20;
/** For all reads of a round: the host's next round waits for it. */
const READ_MS = 30_000;

/**
 * Stores a host's VMs that duplicate a CVM's VM, for the administrators' fleet-wide list. None is removed
 * automatically. @returns how many VMs it didn't check
 */
export async function noteDuplicates(
  db: Db,
  driver: VmmDriver,
  teepod: TeepodRow,
  {
    vms,
    used,
    has_duplicates,
  }: {
    vms: readonly VmInfo[];
    /** IDs of the VMs that CVMs of this host use. */
    used: ReadonlySet<string>;
    /** Whether any are stored for the host. */
    has_duplicates: boolean;
  },
): Promise<number> {
  const unused = vms.filter(
    ({ id, name, status }) => !used.has(id) && uuidOfVmName(name) !== null && status !== 'removing',
  );
  if (has_duplicates)
    await forgetDuplicates(
      db,
      teepod.id,
      unused.map(({ id }) => id),
    );
  if (unused.length === 0) return 0;
  const named = new Map((await cvmsNamedBy(db, unused)).map((cvm) => [cvm.vm_uuid, cvm]));
  const checked = unused.slice(0, MAX_DUPLICATES);
  const sized = await sizedDuplicates(
    db,
    teepod.id,
    checked.map(({ id }) => id),
  );
  const signal = AbortSignal.timeout(READ_MS);
  let reads = 0;
  for (const vm of checked) {
    const cvm = named.get(uuidOfVmName(vm.name) ?? '');
    if (!cvm || !isDuplicate(vm, cvm, teepod.name)) continue;
    // The round's list has no configurations.
    const isRead = !sized.has(vm.id) && (reads += 1) <= MAX_READS;
    const known = isRead ? await driver.getInfo(vm.id, { signal }) : null;
    const given_up = cvm.given_up.find(({ host_vm_id }) => host_vm_id === vm.id);
    const events = (known ?? vm).events.map(({ timestamp }) => timestamp);
    const first_event_at = timeOf(events.length === 0 ? null : Math.min(...events));
    await storeDuplicate(db, {
      teepod_id: teepod.id,
      vm_uuid: cvm.vm_uuid,
      host_vm_id: vm.id.slice(0, 200),
      status: vm.status,
      uptime: vm.uptime.slice(0, 64),
      vcpu: known?.configuration?.vcpu ?? null,
      memory_mb: known?.configuration?.memory ?? null,
      disk_gb: known?.configuration?.disk_size ?? null,
      given_up_at: given_up ? new Date(given_up.given_up_at) : null,
      first_event_at: first_event_at === null ? null : new Date(first_event_at),
    });
  }
  return unused.length - checked.length;
}
