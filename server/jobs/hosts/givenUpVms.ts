import { addEvent } from '../../db/activity/operations';
import { withTransaction, type Db } from '../../db/core/client';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { givenUpVms, heldVms, markReleased, type HeldVm } from '../../db/cvms/givenUpVms';
import type { TeepodRow } from '../../db/hosts/teepodsTable';
import { holdsOf } from '../../domain/hosts/attachments';
import { VmmError, type CallOptions, type VmChange, type VmInfo, type VmmDriver } from '../../drivers/vmm';
import type { HostRound } from '../cvms/reconcile';

/** Takes effect at the VM's next boot, so a running one is stopped first. Its disk is left alone. */
export const NO_HOLDS: VmChange = { ports: [], gpus: { attach_mode: 'listed', gpus: [] } };

/** For all given-up VMs of a host in one round: its next round waits for it. */
const ROUND_MS = 30_000;

/**
 * Takes the host's ports and GPUs from given-up VMs that a host lists again. They belong to the CVM's new VM
 * or, once the CVM is deleted, to nobody. A restarting host would start both VMs, and the first one would win
 * them.
 */
export async function releaseGivenUp(round: HostRound): Promise<void> {
  const { db, log, teepod, vms } = round;
  const held = await heldVms(
    db,
    teepod.id,
    vms.filter(({ status }) => status !== 'removing').map(({ id }) => id),
  );
  const signal = AbortSignal.timeout(ROUND_MS);
  for (const vm of held)
    await release(round, vm, { signal }).catch((error: unknown) => {
      if (!(error instanceof VmmError)) throw error;
      log.warn({ err: error, vm: vm.host_vm_id }, "a given-up VM still holds its host's ports or GPUs");
    });
}

async function release(
  { db, driver, teepod }: HostRound,
  { host_vm_id, cvm }: HeldVm,
  call: CallOptions,
): Promise<void> {
  const vm = await driver.getInfo(host_vm_id, call);
  if (!vm?.configuration) return;
  const holds = holdsOf(vm.configuration);
  if (holds !== null) {
    // The next round sees it stopped.
    if (vm.status === 'running') return stop(driver, vm, call);
    if (vm.status !== 'stopped' && vm.status !== 'exited') return;
    await driver.updateVm(host_vm_id, NO_HOLDS, call);
  }
  await noteReleased(db, teepod, vm, cvm, holds);
}

/** Stops the VM through the guest first. One that doesn't shut down is switched off in the next round. */
async function stop(driver: VmmDriver, vm: VmInfo, call: CallOptions): Promise<void> {
  if (vm.shutdown_progress !== '') return driver.stopVm(vm.id, call);
  await driver.shutdownVm(vm.id, call).catch((error: unknown) => {
    if (!(error instanceof VmmError) || error.kind !== 'rejected') throw error;
    return driver.stopVm(vm.id, call);
  });
}

/** More than a CVM can have. */
const MAX_PORTS = 40;

const isMapping = <P extends { protocol: string }>(port: P): port is P & { protocol: 'tcp' | 'udp' } =>
  port.protocol === 'tcp' || port.protocol === 'udp';

/** @param vm its state before the release @param holds its holds, or null */
export async function noteReleased(
  db: Db,
  { id: teepod_id, name }: Pick<TeepodRow, 'id' | 'name'>,
  vm: VmInfo,
  cvm: Pick<CvmRow, 'id' | 'team_id' | 'app_id'>,
  holds: string | null,
): Promise<void> {
  const host_vm_id = vm.id;
  await withTransaction(db, async (trx) => {
    const ports = (vm.configuration?.ports ?? []).filter(isMapping).slice(0, MAX_PORTS);
    const marked = await markReleased(trx, teepod_id, host_vm_id, holds === null ? null : ports);
    if (marked.length === 0 || holds === null) return;
    await addEvent(trx, {
      cvm,
      kind: 'cvm.vm_detached',
      severity: 'warning',
      message: `The VM given up on ${name} no longer uses ${holds}; its disk is kept`,
      data: { host_vm_id, holds },
    });
  });
}

/** Returns the CVM's given-up VMs among these, with their ports and GPUs. */
export async function heldByGivenUp(
  db: Db,
  cvm_id: number,
  vms: readonly VmInfo[],
): Promise<{ vm: VmInfo; holds: string }[]> {
  const given_up = await givenUpVms(
    db,
    cvm_id,
    vms.map(({ id }) => id),
  );
  return vms.flatMap((vm) => {
    if (!given_up.has(vm.id) || vm.status === 'removing' || !vm.configuration) return [];
    const holds = holdsOf(vm.configuration);
    return holds === null ? [] : [{ vm, holds }];
  });
}
