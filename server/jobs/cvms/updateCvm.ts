import { STEPS } from '../../../console/lib/cvms/steps';
import { operationText } from '../../../console/lib/texts/operationTexts';
import { join } from '../../../console/lib/texts/text';
import type { Tx } from '../../db/core/client';
import { statusReason } from '../../db/cvms/statusReason';
import { holdExactly } from '../../db/hosts/reservations';
import type { RevisionRow } from '../../db/apps/revisionsTable';
import type { VmInfo } from '../../drivers/vmm';
import { outcome } from '../../domain/cvms/cvmStates';
import { ensureVm, findVm, shutDown, waitForBoot, waitForStop } from '../hosts/host';
import { appAndRevision, changeVm, nowRunning, previous, startAndFollow, requireVm } from './bootCvm';
import { failUnchanged } from './failUnchanged';
import { AlreadyFinished, OperationFailed } from './operationErrors';
import type { OperationRun } from './operationRun';
import { requireAllowed } from './requireAllowed';
import { changesSize, sizeAfter, writeSize, writeSizeBack } from './sizeChange';

/**
 * Writes a revision (or just a new environment) to the host, which applies it at the next boot. The size may change
 * with it.
 */
export const update = async (run: OperationRun): Promise<void> => {
  const { payload } = run.operation;
  const { app_id, revision } = await appAndRevision(run, payload.revision_id ?? run.cvm.revision_id);
  const encrypted_env = payload.encrypted_env ?? run.cvm.encrypted_env;
  const size = changesSize(run) ? sizeAfter(run) : {};
  const live = {
    ...size,
    revision_id: revision.id,
    encrypted_env,
    ...(payload.os_image ? { os_image: payload.os_image } : {}),
    public_logs: payload.public_logs ?? run.cvm.public_logs,
    public_sysinfo: payload.public_sysinfo ?? run.cvm.public_sysinfo,
    public_tcbinfo: payload.public_tcbinfo ?? run.cvm.public_tcbinfo,
  };
  const wentThrough = (trx: Tx) => holdExactly(trx, run.cvm.id, { ...run.cvm, ...size });
  const existing = await findVm(run);
  // A crash during the rollback: the failure is known, so only the rollback is finished.
  if (existing && run.began(GO_BACK))
    await rollBack(run, existing.id, new OperationFailed('HOST_REFUSED', operationText('revision_failed')));
  try {
    const os_image = payload.os_image ?? run.cvm.os_image;
    const { compose_hash } = revision;
    await requireAllowed(run, { compose_hash, os_image, teepod_id: run.teepod.id });
  } catch (error) {
    if (error instanceof OperationFailed) await failUnchanged(run, error);
    throw error;
  }
  const write = async (vm: VmInfo) => {
    try {
      await run.step(STEPS.write, async () => {
        await keepUserConfig(run, vm);
        await writeRevision(run, vm.id, revision, payload.encrypted_env, payload.user_config);
      });
    } catch (error) {
      if (error instanceof OperationFailed) await failUnchanged(run, error);
      throw error;
    }
  };
  if (outcome('update', previous(run)).target === 'stopped') {
    if (existing) {
      await write(existing);
      try {
        await writeImage(run, existing.id, payload.os_image);
        await writeSize(run, existing.id);
      } catch (error) {
        if (!(error instanceof OperationFailed)) throw error;
        await writePreviousRevision(run, existing.id);
        await failUnchanged(run, error);
      }
    }
    run.noteLive(revision.id);
    await run.finish('succeeded', { ...live, status: 'stopped', ...statusReason(null) }, wentThrough);
    return;
  }
  if (existing) await write(existing);
  try {
    if (existing) {
      await run.step(STEPS.stop, () => shutDown(run, existing));
      await writeImage(run, existing.id, payload.os_image);
      await writeSize(run, existing.id);
      await startAndFollow(run, { ...existing, status: 'stopped' });
    } else {
      // A recreated VM gets the size of the row.
      if (changesSize(run)) await run.patchCvm(size);
      let made: VmInfo | null = null;
      await run.step(STEPS.prepare, async () => {
        made = await ensureVm(run, app_id, revision, encrypted_env);
      });
      await startAndFollow(run, made ?? (await requireVm(run)));
    }
  } catch (error) {
    if (error instanceof OperationFailed && existing) await rollBack(run, existing.id, error);
    throw error;
  }
  run.noteLive(revision.id);
  await run.finish('succeeded', { ...nowRunning(), ...live }, wentThrough);
};

function writeRevision(
  run: OperationRun,
  vm_id: string,
  revision: RevisionRow,
  encrypted_env: string | undefined,
  user_config: string | undefined,
) {
  const change = {
    compose_file: revision.app_compose,
    ...(encrypted_env === undefined ? {} : { encrypted_env }),
    ...(user_config === undefined ? {} : { user_config }),
  };
  return changeVm(run, vm_id, change);
}

/** A host accepts another image only while the VM is off. */
async function writeImage(run: OperationRun, vm_id: string, image: string | undefined): Promise<void> {
  if (image) await run.step(STEPS.image, () => changeVm(run, vm_id, { image }));
}

const GO_BACK = STEPS.go_back;
const GO_BACK_SECONDS = 300;

/** Rolls a failed update back, and ends the operation as failed. */
async function rollBack(run: OperationRun, vm_id: string, failure: OperationFailed): Promise<never> {
  // The new revision may have used up the deadline; the CVM must not be left without a running revision.
  if (!run.began(GO_BACK)) await run.moreTime(GO_BACK_SECONDS);
  await bootPreviousRevision(run, vm_id);
  await run.finish(
    'failed',
    nowRunning(),
    (trx) => holdExactly(trx, run.cvm.id, run.cvm),
    new OperationFailed(failure.code, join(failure.reason, operationText('previous_revision_runs'))),
  );
  throw new AlreadyFinished();
}

/** Restores the previous revision on the host and boots it. */
export async function bootPreviousRevision(run: OperationRun, vm_id: string): Promise<void> {
  await run.step(GO_BACK, async () => {
    await writePreviousFiles(run, vm_id);
    await run.patient(() => run.driver.stopVm(vm_id, run));
    await waitForStop(run, vm_id);
    // The host may have the new one by now; if not, writing the old one changes nothing.
    if (run.operation.payload.os_image) await changeVm(run, vm_id, { image: run.cvm.os_image });
    await writeSizeBack(run, vm_id);
    await run.patient(() => run.driver.startVm(vm_id, run));
    await waitForBoot(run, vm_id);
  });
}

/** Restores the previous revision on the host for the VM's next boot, after an update that stopped nothing. */
export async function writePreviousRevision(run: OperationRun, vm_id: string): Promise<void> {
  await run.step(STEPS.put_back, async () => {
    await writePreviousFiles(run, vm_id);
    if (run.began(STEPS.image)) await changeVm(run, vm_id, { image: run.cvm.os_image });
    await writeSizeBack(run, vm_id);
  });
}

async function writePreviousFiles(run: OperationRun, vm_id: string): Promise<void> {
  const { revision } = await appAndRevision(run, run.cvm.revision_id);
  const { previous_user_config } = run.operation.payload;
  await writeRevision(run, vm_id, revision, run.cvm.encrypted_env ?? undefined, previous_user_config);
}

/** Saves the current value, which only the host has, before it is overwritten, for a rollback. */
async function keepUserConfig(run: OperationRun, vm: VmInfo): Promise<void> {
  const { payload } = run.operation;
  if (payload.user_config === undefined || payload.previous_user_config !== undefined) return;
  const { configuration } =
    (vm.configuration ? vm : await run.patient(() => run.driver.getInfo(vm.id, run))) ?? vm;
  if (configuration?.user_config) await run.patchPayload({ previous_user_config: configuration.user_config });
}
