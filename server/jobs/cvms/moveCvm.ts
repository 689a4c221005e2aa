import { STEPS } from '../../../console/lib/cvms/steps';
import { settleMove } from '../../db/hosts/reservations';
import type { TeepodRow } from '../../db/hosts/teepodsTable';
import { VmmError } from '../../drivers/vmm';
import { findVm, refused, shutDown, waitForBoot, waitForRemoval } from '../hosts/host';
import { statusReason } from '../../db/cvms/statusReason';
import { requireAllowed } from './requireAllowed';
import { appAndRevision, boot, nowRunning, previous } from './bootCvm';
import { AlreadyFinished, Cancelled, LeaseLost, OperationFailed } from './operationErrors';
import type { OperationRun } from './operationRun';
import { operationText } from '../../../console/lib/texts/operationTexts';
import { join, type Text } from '../../../console/lib/texts/text';

const GO_BACK = STEPS.return_to_host;
const GO_BACK_SECONDS = 300;
/** Time limit for the old host to destroy the old VM; after that the reconciler does it. */
const REMOVE_SECONDS = 30;

/**
 * Recreates a CVM on another host, with an empty disk. Its old VM is stopped and kept until the new one is up,
 * so a failed move ends with the old one running. The CVM's row always names its one current host; the progress
 * of a killed attempt follows from it.
 */
export async function moveCvm(run: OperationRun): Promise<void> {
  const { to_teepod_id, from } = run.operation.payload;
  if (to_teepod_id === undefined || from === undefined) throw new Error('a move without hosts');
  const target = await hostOf(run, to_teepod_id);
  const source = await hostOf(run, from.teepod_id);
  if (run.began(GO_BACK))
    return goBack(run, source, new OperationFailed('HOST_REFUSED', operationText('new_host_failed')));
  if (run.cvm.teepod_id !== target.id) {
    await requireAllowedThere(run, target);
    await run.step(STEPS.leave_host, async () => {
      const vm = await findVm(run);
      return vm ? shutDown(run, vm) : operationText('no_vm');
    });
    await run.step(STEPS.enter_host, async () => {
      await run.patchCvm({
        teepod_id: target.id,
        host_vm_id: null,
        instance_id: null,
        boot_progress: null,
        boot_error: null,
      });
      run.teepod = target;
    });
  }
  try {
    await boot(run);
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    await goBack(run, source, failure);
    return;
  }
  await run.step(STEPS.clear_host, () => removeOld(run, source, from.host_vm_id));
  await run.finish('succeeded', nowRunning(), (trx) => settleMove(trx, run.cvm.id));
}

/** A contract may allow the app only on its current machine; then the CVM stays there. */
async function requireAllowedThere(run: OperationRun, target: TeepodRow): Promise<void> {
  const { revision } = await appAndRevision(run, run.cvm.revision_id);
  const boot = { compose_hash: revision.compose_hash, os_image: run.cvm.os_image, teepod_id: target.id };
  try {
    await requireAllowed(run, boot);
  } catch (error) {
    if (!(error instanceof OperationFailed)) throw error;
    const { status } = previous(run);
    const reason = statusReason(status === 'error' ? error.reason : null);
    await run.finish('failed', { status, ...reason }, (trx) => settleMove(trx, run.cvm.id), error);
    throw new AlreadyFinished();
  }
}

async function hostOf(run: OperationRun, id: number): Promise<TeepodRow> {
  return run.db.selectFrom('teepods').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/**
 * Returns the error that ends the attempt on the new host, or null when the host is not at fault and the
 * attempt is retried.
 */
function failureOf(error: unknown): OperationFailed | null {
  if (error instanceof LeaseLost || error instanceof Cancelled) return null;
  const known = error instanceof VmmError ? refused(error) : error;
  return known instanceof OperationFailed ? known : null;
}

/** Runs the CVM on its original host again, with its disk unchanged. */
async function goBack(run: OperationRun, source: TeepodRow, failure: OperationFailed): Promise<never> {
  if (!run.began(GO_BACK)) await run.moreTime(GO_BACK_SECONDS);
  const { from } = run.operation.payload;
  await run.step(GO_BACK, async () => {
    if (run.cvm.teepod_id !== source.id) {
      // An unresponsive host destroys it once it responds: its CVM runs elsewhere by then.
      const vm = await findVm(run).catch(() => null);
      await run.stillHeld();
      if (vm) await run.driver.removeVm(vm.id, run).catch(() => undefined);
      await run.patchCvm({
        teepod_id: source.id,
        host_vm_id: from?.host_vm_id ?? null,
        instance_id: from?.instance_id ?? null,
        boot_progress: null,
        boot_error: null,
      });
      run.teepod = source;
    }
    const old = await findVm(run);
    if (!old) throw new OperationFailed('HOST_REFUSED', operationText('old_vm_gone'));
    await run.patient(() => run.driver.startVm(old.id, run));
    await waitForBoot(run, old.id);
  });
  await run.finish(
    'failed',
    nowRunning(),
    (trx) => settleMove(trx, run.cvm.id),
    new OperationFailed(failure.code, join(failure.reason, operationText('old_host_runs'))),
  );
  throw new AlreadyFinished();
}

async function removeOld(run: OperationRun, source: TeepodRow, vm_id: string | null): Promise<Text | void> {
  if (vm_id === null) return operationText('no_vm');
  try {
    const driver = run.driverOf(source);
    await driver.removeVm(vm_id, run);
    await waitForRemoval(run, driver, vm_id, REMOVE_SECONDS);
  } catch (error) {
    if (error instanceof LeaseLost || run.signal.aborted) throw error;
    run.log.warn({ err: error }, "couldn't remove the old VM; leaving it to the reconciler");
    return operationText('old_host_silent');
  }
}
