import { isIP } from 'node:net';
import { STEPS } from '../../../console/lib/cvms/steps';
import { statusReason } from '../../db/cvms/statusReason';
import type { RevisionRow } from '../../db/apps/revisionsTable';
import { releasedPorts } from '../../db/cvms/givenUpVms';
import { portName } from '../../domain/hosts/attachments';
import { operationText } from '../../../console/lib/texts/operationTexts';
import { join } from '../../../console/lib/texts/text';
import { ownValue } from '../../../console/lib/ownValue';
import { withoutHostPaths } from '../../domain/hosts/hostText';
import { VmmError, type GpuSelection, type VmChange, type VmInfo } from '../../drivers/vmm';
import {
  ensureVm,
  findVm,
  gpusOf,
  noteStarting,
  refused,
  switchOff,
  vmGone,
  waitForBoot,
} from '../hosts/host';
import { OperationFailed } from './operationErrors';
import type { OperationRun } from './operationRun';

/** The CVM's state before the operation. */
export const previous = (run: OperationRun) =>
  run.operation.payload.previous ?? { status: run.cvm.status, desired: run.cvm.desired };

export async function appAndRevision(
  run: OperationRun,
  revision_id: number,
): Promise<{ app_id: string; revision: RevisionRow }> {
  const { address, ...revision } = await run.db
    .selectFrom('revisions')
    .innerJoin('apps', 'apps.id', 'revisions.app_id')
    .selectAll('revisions')
    .select('apps.app_id as address')
    .where('revisions.id', '=', revision_id)
    .executeTakeFirstOrThrow();
  return { app_id: address, revision };
}

export const nowRunning = () => ({
  status: 'running' as const,
  ...statusReason(null),
  boot_error: null,
  started_at: new Date(),
  observed_at: new Date(),
});

/** Boots the VM and waits until its containers are up. */
export async function boot(run: OperationRun): Promise<void> {
  let vm: VmInfo | undefined;
  await run.step(STEPS.prepare, async () => {
    const { app_id, revision } = await appAndRevision(run, run.cvm.revision_id);
    vm = await ensureVm(run, app_id, revision, run.cvm.encrypted_env);
    await applyCvmRow(run, vm, revision);
  });
  await startAndFollow(run, vm ?? (await requireVm(run)));
}

export async function requireVm(run: OperationRun): Promise<VmInfo> {
  const vm = await findVm(run);
  if (vm) return vm;
  throw vmGone();
}

/**
 * A stopped VM may still have files of a change whose rollback also failed. They are aligned with the CVM's row
 * before every boot.
 */
async function applyCvmRow(run: OperationRun, vm: VmInfo, revision: RevisionRow): Promise<void> {
  if (vm.status !== 'stopped' && vm.status !== 'exited') return;
  const { configuration } =
    (vm.configuration ? vm : await run.patient(() => run.driver.getInfo(vm.id, run))) ?? vm;
  if (!configuration) return;
  const { app_compose } = revision;
  const { encrypted_env, os_image, vcpu, memory_mb } = run.cvm;
  const gpus = await gpusOf(run);
  const ports = await portsToRestore(run, vm.id, configuration.ports);
  const change: VmChange = {
    ...(sameGpus(configuration.gpus, gpus) ? {} : { gpus }),
    ...(ports === null ? {} : { ports }),
    ...(configuration.compose_file === app_compose ? {} : { compose_file: app_compose }),
    ...(encrypted_env === null || configuration.encrypted_env === encrypted_env ? {} : { encrypted_env }),
    ...(configuration.image === os_image ? {} : { image: os_image }),
    ...(configuration.vcpu === vcpu ? {} : { vcpu }),
    ...(configuration.memory === memory_mb ? {} : { memory: memory_mb }),
  };
  if (Object.keys(change).length > 0) await changeVm(run, vm.id, change);
}

/**
 * Returns the ports to restore if an administrator chose a given-up VM again, whose ports had moved to the
 * CVM's next one; null if nothing changes. Hosts accept them only with the address they had chosen themselves.
 */
async function portsToRestore(
  { db, cvm }: OperationRun,
  vm_id: string,
  has: readonly unknown[],
): Promise<VmChange['ports'] | null> {
  if (cvm.ports.length === 0 || has.length > 0) return null;
  const wanted = new Set(cvm.ports.map(portName));
  const ports = (await releasedPorts(db, cvm.id, vm_id)).filter(
    (port) => wanted.has(portName(port)) && isIP(port.host_address) !== 0,
  );
  return ports.length === 0 ? null : ports;
}

/** A missing selection equals an empty one. */
const sameGpus = (has: { attach_mode: string; gpus: GpuSelection['gpus'] } | null, wanted: GpuSelection) =>
  (has?.attach_mode || 'listed') === wanted.attach_mode &&
  // A host may list the GPUs that `all` stands for.
  (wanted.attach_mode === 'all' || gpuKey(has?.gpus ?? []) === gpuKey(wanted.gpus));

const gpuKey = (gpus: GpuSelection['gpus']) =>
  gpus
    .map(({ slot }) => slot.toLowerCase())
    .sort()
    .join();

export async function startAndFollow(run: OperationRun, vm: VmInfo): Promise<void> {
  const id = vm.id;
  // Hosts start the VMs that they create.
  const runs = vm.status === 'running' && !vm.boot_error;
  if (runs) run.pass(STEPS.start);
  else
    await run.step(STEPS.start, async () => {
      // Hosts don't change a running VM, even one whose boot failed: it is stopped first.
      if (vm.status === 'running') await switchOff(run, vm);
      await noteStarting(run);
      await run
        .patient(() => run.driver.startVm(id, run))
        .catch((error: unknown) => Promise.reject(refused(error)));
    });
  await run.step(STEPS.boot, () => waitForBoot(run, id, runs ? vm : null));
}

/** Writes a change to the host. A change that the host refuses after writing a part of it is undone. */
export async function changeVm(run: OperationRun, vm_id: string, change: VmChange): Promise<void> {
  try {
    await run.patient(() => run.driver.updateVm(vm_id, change, run));
  } catch (error) {
    const failure = refused(error);
    if (!(failure instanceof OperationFailed)) throw failure;
    const left = await undoPartialChange(run, vm_id, change);
    throw left === null
      ? failure
      : new OperationFailed(
          failure.code,
          join(failure.reason, operationText('half_written', { text: left })),
          failure.advice,
        );
  }
}

/** Returns why a written part could not be undone, or null. */
async function undoPartialChange(run: OperationRun, vm_id: string, change: VmChange): Promise<string | null> {
  try {
    const has = (await run.patient(() => run.driver.getInfo(vm_id, run)))?.configuration;
    if (!has) return null;
    const { cvm, operation } = run;
    const { app_compose } = (await appAndRevision(run, cvm.revision_id)).revision;
    const before = {
      compose_file: app_compose,
      encrypted_env: cvm.encrypted_env ?? '',
      user_config: operation.payload.previous_user_config ?? '',
      image: cvm.os_image,
      vcpu: cvm.vcpu,
      memory: cvm.memory_mb,
    };
    // Hosts treat an empty value as unchanged.
    const undo = Object.fromEntries(
      Object.entries(before).filter(
        ([key, value]) => ownValue(change, key) !== undefined && value !== '' && ownValue(has, key) !== value,
      ),
    );
    // A disk can't shrink again: the CVM keeps it and is billed for it.
    if (change.disk_size !== undefined && has.disk_size > cvm.disk_gb)
      await run.patchCvm({ disk_gb: change.disk_size, ...operation.payload.grown });
    if (Object.keys(undo).length > 0) await run.patient(() => run.driver.updateVm(vm_id, undo, run));
    return null;
  } catch (error) {
    if (!(error instanceof VmmError)) throw error;
    run.log.warn({ err: error }, "couldn't undo a partially applied change");
    return withoutHostPaths(error.host_text ?? error.message);
  }
}
