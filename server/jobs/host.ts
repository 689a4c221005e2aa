import { setTimeout as wait } from 'node:timers/promises';
import { gpuSlotsOf } from '../db/gpus';
import type { RevisionRow } from '../db/schema';
import { uuidOfVmName, vmName } from '../domain/vmName';
import { VmmError, type GpuSelection, type VmInfo } from '../drivers/vmm';
import { keepHostEvents } from './hostEvents';
import { OperationFailed, type OperationRun } from './operationRun';

/** The CVM's VM on its host, or null. Looks by the host's id first, then by name: the answer of CreateVm may be lost. */
export async function findVm(run: OperationRun): Promise<VmInfo | null> {
  const { driver, cvm } = run;
  if (cvm.host_vm_id) {
    const info = await run.patient(() => driver.getInfo(cvm.host_vm_id as string, run));
    if (info && info.status !== 'removing') return info;
  }
  // By the uuid in it: the CVM may have been renamed since, and its VM keeps the name it was made with.
  const keyword = cvm.vm_uuid.replaceAll('-', '');
  const page = await run.patient(() => driver.status({ brief: true, keyword }, run));
  const ours = page.vms.filter((vm) => uuidOfVmName(vm.name) === cvm.vm_uuid && vm.status !== 'removing');
  return ours[0] ?? null;
}

/** Finds or creates the VM and writes its id down. Never two: before creating again after a lost answer it looks. */
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
    run.checkDeadline('Creating the VM');
    const gpus = await gpusOf(run);
    try {
      const id = await run.driver.createVm(
        {
          name: vmName(run.cvm),
          image: run.cvm.os_image,
          compose_file: revision.app_compose,
          vcpu: run.cvm.vcpu,
          memory: run.cvm.memory_mb,
          disk_size: run.cvm.disk_gb,
          ...(gpus.gpus.length > 0 ? { gpus } : {}),
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
      run.log.warn({ err: error }, 'CreateVm has no answer, looking for the VM before trying again');
      await wait(1_000, undefined, { signal: run.signal }).catch(() => run.signal.throwIfAborted());
    }
  }
}

/** The GPUs that the CVM has, as its host takes them. */
export async function gpusOf({ db, cvm }: OperationRun): Promise<GpuSelection> {
  const slots = await gpuSlotsOf(db, cvm);
  return { attach_mode: 'listed', gpus: slots.map((slot) => ({ slot })) };
}

/** Follows the boot until the containers are up. `running` alone is not enough: the guest reports its progress. */
export async function waitForBoot(run: OperationRun, vm_id: string): Promise<void> {
  let said = run.cvm.boot_progress ?? '';
  await run.until('Booting', async () => {
    const vm = await run.driver.getInfo(vm_id, run);
    if (!vm)
      throw new OperationFailed(
        'HOST_REFUSED',
        'The VM is no longer on its host.',
        'Start it again to have it made anew.',
      );
    await keepHostEvents(run.db, [{ cvm_id: run.cvm.id, vm }]).catch((error: unknown) =>
      run.log.warn({ err: error }, 'what the host said could not be written down yet'),
    );
    if (vm.boot_error) {
      await run.patchCvm({ boot_progress: vm.boot_progress, boot_error: vm.boot_error });
      throw new OperationFailed(
        'HOST_REFUSED',
        `Boot error: ${vm.boot_error}`,
        'See the serial log, correct the compose file and update or start again.',
      );
    }
    if (vm.boot_progress && vm.boot_progress !== said) {
      said = vm.boot_progress;
      await run.patchCvm(
        { boot_progress: said, instance_id: vm.instance_id },
        // Newer hosts say it themselves, step by step; see above.
        vm.events.length > 0 ? undefined : { kind: 'boot.progress', message: `Boot: ${said}` },
      );
    }
    if (vm.status === 'exited' || vm.status === 'stopped') {
      throw new OperationFailed(
        'HOST_REFUSED',
        `The VM ended while booting${said ? ` (“${said}”)` : ''}.`,
        'See the serial and stderr logs.',
      );
    }
    // Images too old to report progress say N/A; running is all that can be known of them.
    const up = vm.status === 'running' && (vm.boot_progress === 'done' || vm.boot_progress === 'N/A');
    if (!up) return undefined;
    if (vm.instance_id && vm.instance_id !== run.cvm.instance_id)
      await run.patchCvm({ instance_id: vm.instance_id });
    return true;
  });
}

/** Waits until the host says the VM is down. */
export async function waitForStop(run: OperationRun, vm_id: string, limit_seconds?: number): Promise<void> {
  await run.until(
    'Stopping',
    async () => {
      const vm = await run.driver.getInfo(vm_id, run);
      return !vm || vm.status === 'stopped' || vm.status === 'exited' ? true : undefined;
    },
    limit_seconds,
  );
}

/** Brings the VM down: gracefully first when asked, by the plug when the guest does not answer in time. */
export async function bringDown(run: OperationRun, vm: VmInfo, graceful: boolean): Promise<string | void> {
  if (vm.status === 'stopped') return 'was stopped';
  if (graceful) {
    try {
      await run.patient(() => run.driver.shutdownVm(vm.id, run));
      await waitForStop(run, vm.id, run.operation.payload.shutdown_timeout ?? 60);
      return;
    } catch (error) {
      const guestDoesNotAnswer =
        error instanceof VmmError ? error.kind === 'rejected' : error instanceof OperationFailed;
      if (!guestDoesNotAnswer || run.operation.payload.allow_force_stop === false) throw error;
      run.log.info({ err: error }, 'graceful shutdown did not work, stopping hard');
    }
  }
  await run.patient(() => run.driver.stopVm(vm.id, run));
  await waitForStop(run, vm.id);
  return graceful ? 'stopped hard: the guest did not answer' : undefined;
}

/** A host's refusal in words for the person; anything unexpected stays as it is for the log. */
export function refused(error: unknown): unknown {
  if (!(error instanceof VmmError)) return error;
  return new OperationFailed(
    'HOST_REFUSED',
    `The host refused: ${error.host_text ?? error.message}`,
    'Correct what it names and try again.',
  );
}
