import { setTimeout as wait } from 'node:timers/promises';
import { gpuSlotsOf, hasEveryGpu } from '../../db/hosts/gpus';
import type { RevisionRow } from '../../db/apps/revisionsTable';
import { givenUpVms } from '../../db/cvms/givenUpVms';
import { extraKms } from '../../db/kms/extraKms';
import { mayCreateVm, ownVm } from '../../domain/cvms/reconciliation';
import { vmName } from '../../domain/cvms/vmName';
import { withoutHostPaths } from '../../domain/hosts/hostText';
import { isUp } from '../../domain/cvms/vmState';
import { VmmError, type GpuSelection, type VmInfo, type VmmDriver } from '../../drivers/vmm';
import { heldByGivenUp, NO_HOLDS, noteReleased } from './givenUpVms';
import { keepHostEvents } from './hostEvents';
import { bootFailed } from '../cvms/keysRefused';
import { OperationFailed } from '../cvms/operationErrors';
import type { OperationRun } from '../cvms/operationRun';
import { operationText } from '../../../console/lib/texts/operationTexts';
import type { Text } from '../../../console/lib/texts/text';

/**
 * Returns the CVM's VM on its host, or null. Looks it up by the host's ID once the CVM has one; before that by
 * name, because CreateVm's response may be lost.
 */
export async function findVm(run: OperationRun): Promise<VmInfo | null> {
  const { driver, cvm } = run;
  const { host_vm_id } = cvm;
  if (host_vm_id !== null) {
    const info = await run.patient(() => driver.getInfo(host_vm_id, run));
    return info === null ? null : (ownVm(cvm, [info], NONE) ?? null);
  }
  // By the UUID in the name: the CVM may have been renamed since, while its VM keeps its original name.
  const keyword = cvm.vm_uuid.replaceAll('-', '');
  const page = await run.patient(() => driver.status({ brief: true, keyword }, run));
  if (page.vms.length === 0) return null;
  const listed = page.vms.map(({ id }) => id);
  return ownVm(cvm, page.vms, await givenUpVms(run.db, cvm.id, listed)) ?? null;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Finds or creates the VM and stores its ID. Never creates two: after a lost response it looks before creating
 * again. Never replaces one either: a VM missing from its host's list may come back with its disk, so only a
 * CVM that has had none on this host gets one.
 */
export async function ensureVm(
  run: OperationRun,
  app_id: string,
  revision: RevisionRow,
  encrypted_env: string | null,
): Promise<VmInfo> {
  for (;;) {
    const found = await findVm(run);
    if (found) {
      if (found.id !== run.cvm.host_vm_id) await run.patchCvm({ host_vm_id: found.id });
      return found;
    }
    if (!mayCreateVm(run.cvm)) throw vmGone();
    run.checkDeadline(operationText('deadline_passed', { phase: 'create' }));
    await noteStarting(run);
    await takeBackHolds(run);
    const gpus = run.cvm.gpus > 0 ? await gpusOf(run) : null;
    const { kms_id } = run.cvm;
    const kms_url = kms_id === run.teepod.kms_id ? null : await extraKms(run.db, run.cvm);
    await run.stillHeld();
    try {
      const id = await run.driver.createVm(
        {
          name: vmName(run.cvm),
          image: run.cvm.os_image,
          compose_file: revision.app_compose,
          vcpu: run.cvm.vcpu,
          memory: run.cvm.memory_mb,
          disk_size: run.cvm.disk_gb,
          ...(gpus === null ? {} : { gpus }),
          // Without an address the host's own default applies.
          ...(run.cvm.ports.length > 0
            ? { ports: run.cvm.ports.map((port) => ({ ...port, host_address: '' })) }
            : {}),
          ...(kms_url === null ? {} : { kms_urls: [kms_url] }),
          app_id,
          encrypted_env: encrypted_env ?? '',
          user_config: JSON.stringify({
            hostname: run.cvm.hostname ?? run.cvm.name,
            ssh_authorized_keys: run.cvm.ssh_authorized_keys,
          }),
        },
        { signal: run.signal },
      );
      await run.patchCvm({ host_vm_id: id });
    } catch (error) {
      if (!(error instanceof VmmError) || !(error.retryable || error.ambiguous)) throw refused(error);
      run.log.warn({ err: error }, 'no response from CreateVm; looking for the VM before retrying');
      await wait(1_000, undefined, { signal: run.signal }).catch(() => run.signal.throwIfAborted());
    }
  }
}

/** Recorded first: canceling a start stops the VM only if the operation started it. Nothing else asks. */
export async function noteStarting(run: OperationRun): Promise<void> {
  if (run.operation.type === 'start') await run.patchPayload({ started_vm: true });
}

/** Takes back ports and GPUs for the new VM from one that the CVM gave up, if the host lists it again. */
async function takeBackHolds(run: OperationRun): Promise<void> {
  const { cvm, driver } = run;
  if (cvm.ports.length === 0 && cvm.gpus === 0) return;
  const keyword = cvm.vm_uuid.replaceAll('-', '');
  const { vms } = await run.patient(() => driver.status({ keyword }, run));
  for (const { vm, holds } of await heldByGivenUp(run.db, cvm.id, vms)) {
    if (vm.status === 'running' || vm.status === 'stopping') await shutDown(run, vm);
    await run
      .patient(() => driver.updateVm(vm.id, NO_HOLDS, run))
      .catch((error: unknown) => Promise.reject(refused(error)));
    await noteReleased(run.db, run.teepod, vm, cvm, holds);
  }
}

/**
 * Returns the CVM's GPUs in the host's format. Once another CVM may have one of the host's GPUs, because it was
 * detached or added, only the CVM's own are listed: a host asked for all would share it.
 */
export async function gpusOf({ db, cvm }: OperationRun): Promise<GpuSelection> {
  if (cvm.all_gpus && (await hasEveryGpu(db, cvm))) return { attach_mode: 'all', gpus: [] };
  const slots = await gpuSlotsOf(db, cvm);
  return { attach_mode: 'listed', gpus: slots.map((slot) => ({ slot })) };
}

export const vmGone = () =>
  new OperationFailed('HOST_REFUSED', operationText('vm_not_listed'), operationText('advice_vm_not_listed'));

/** A boot's progress is stored this often: a host may report several steps within a second, each with its own time. */
const PROGRESS_MS = 1_000;

/**
 * Follows the boot until the containers are up. `running` alone is not enough: the guest reports its progress.
 * @param first the host's answer of this moment, if the caller just asked
 */
export async function waitForBoot(
  run: OperationRun,
  vm_id: string,
  first: VmInfo | null = null,
): Promise<void> {
  let said = run.cvm.boot_progress ?? '';
  let stored_at = -Infinity;
  let newest = first;
  let mustAsk = first === null;
  const keepEvents = async () => {
    if (!newest) return;
    await keepHostEvents(run.db, run.teepod.id, [{ cvm_id: run.cvm.id, vm: newest }]).catch(
      (error: unknown) => run.log.warn({ err: error }, "couldn't store host events"),
    );
  };
  const look = async () => {
    const vm = mustAsk ? await run.driver.getInfo(vm_id, run) : newest;
    mustAsk = true;
    if (!vm) throw vmGone();
    newest = vm;
    if (vm.boot_error) {
      await run.patchCvm({ boot_progress: vm.boot_progress, boot_error: vm.boot_error });
      throw await bootFailed(run.db, run.cvm, vm.boot_error);
    }
    if (vm.boot_progress && vm.boot_progress !== said) {
      said = vm.boot_progress;
      const change = { boot_progress: said, instance_id: vm.instance_id };
      // Newer hosts keep each step as an event; older ones only say where the boot is now.
      if (vm.events.length > 0) run.noteCvm(change);
      else await run.patchCvm(change, { kind: 'boot.progress', message: `Boot: ${said}` });
    }
    if (vm.status === 'exited' || vm.status === 'stopped') {
      throw new OperationFailed(
        'HOST_REFUSED',
        said === '' ? operationText('boot_ended') : operationText('boot_ended_at', { text: said }),
        operationText('advice_logs'),
      );
    }
    if (isUp(vm)) {
      if (vm.instance_id && vm.instance_id !== run.cvm.instance_id)
        run.noteCvm({ instance_id: vm.instance_id });
      return true;
    }
    if (performance.now() - stored_at >= PROGRESS_MS) {
      stored_at = performance.now();
      await keepEvents();
      await run.storeNoted();
    }
    return undefined;
  };
  try {
    await run.until('boot', look);
  } finally {
    // Before the boot's end, which pages show below them.
    await keepEvents();
  }
}

/** Waits until the host reports the VM as stopped. */
export async function waitForStop(run: OperationRun, vm_id: string, limit_seconds?: number): Promise<void> {
  await run.until(
    'stop',
    async () => {
      const vm = await run.driver.getInfo(vm_id, run);
      return !vm || vm.status === 'stopped' || vm.status === 'exited' ? true : undefined;
    },
    limit_seconds,
  );
}

/** Waits until the host no longer has the VM. */
export async function waitForRemoval(
  run: OperationRun,
  driver: VmmDriver,
  vm_id: string,
  limit_seconds?: number,
): Promise<void> {
  await run.until(
    'remove',
    async () => ((await driver.getInfo(vm_id, run)) === null ? true : undefined),
    limit_seconds,
  );
}

/** Shuts the guest down, and switches the VM off if the guest does not respond in time. */
export async function shutDown(run: OperationRun, vm: VmInfo): Promise<Text | void> {
  if (vm.status === 'stopped') return operationText('already_stopped');
  try {
    await run.patient(() => run.driver.shutdownVm(vm.id, run));
    await waitForStop(run, vm.id, run.operation.payload.shutdown_timeout ?? 60);
    return;
  } catch (error) {
    const guestDoesNotAnswer =
      error instanceof VmmError ? error.kind === 'rejected' : error instanceof OperationFailed;
    if (!guestDoesNotAnswer || run.operation.payload.allow_force_stop === false) throw error;
    run.log.info({ err: error }, 'graceful shutdown failed; forcing the stop');
  }
  await switchOff(run, vm);
  return operationText('stop_forced');
}

/** Switches the VM off without asking the guest. */
export async function switchOff(run: OperationRun, vm: VmInfo): Promise<Text | void> {
  if (vm.status === 'stopped') return operationText('already_stopped');
  await run.patient(() => run.driver.stopVm(vm.id, run));
  await waitForStop(run, vm.id);
}

/** Turns a host's refusal into a message for the user; any other error is returned unchanged for the log. */
export function refused(error: unknown): unknown {
  if (!(error instanceof VmmError)) return error;
  const said = error.host_text ?? error.message;
  // Before 0.6, a VM has no disk to resize until its first boot.
  if (/failed to resize disk\b.*\bno such file/is.test(said))
    return new OperationFailed(
      'HOST_REFUSED',
      operationText('no_disk_yet'),
      operationText('advice_start_first'),
    );
  return new OperationFailed(
    'HOST_REFUSED',
    operationText('host_refused', { text: withoutHostPaths(said) }),
    operationText('advice_fix'),
  );
}
