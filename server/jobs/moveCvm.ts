import { settleMove } from '../db/reservations';
import type { TeepodRow } from '../db/schema';
import { VmmError } from '../drivers/vmm';
import { bringDown, findVm, refused, waitForBoot } from './host';
import { AlreadyFinished, boot, nowRunning } from './operationKinds';
import { Cancelled, LeaseLost, OperationFailed, type OperationRun } from './operationRun';

const GO_BACK = 'go back to the old host';
const GO_BACK_SECONDS = 300;
/** How long the old host may take to destroy what was left there; after that the reconciler does. */
const REMOVE_SECONDS = 30;

/**
 * Makes a CVM anew on another host, with an empty disk: its old VM is stopped and kept until the new one is up, so that a
 * move that fails ends with the old one running. The CVM's row always names the one host it is on; which side a killed
 * attempt got to follows from it.
 */
export async function moveCvm(run: OperationRun): Promise<void> {
  const { to_teepod_id, from } = run.operation.payload;
  if (to_teepod_id === undefined || from === undefined) throw new Error('a move without hosts');
  const target = await hostOf(run, to_teepod_id);
  const source = await hostOf(run, from.teepod_id);
  if (run.began(GO_BACK))
    return goBack(run, source, new OperationFailed('HOST_REFUSED', 'It did not come up on the new host.'));
  if (run.cvm.teepod_id !== target.id) {
    await run.step('stop on the old host', async () => {
      const vm = await findVm(run);
      return vm ? bringDown(run, vm, true) : 'there was no VM';
    });
    await run.step('take over on the new host', async () => {
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
  await run.step('remove from the old host', () => removeOld(run, source, from.host_vm_id));
  await run.finish('succeeded', nowRunning(), (trx) => settleMove(trx, run.cvm.id));
}

async function hostOf(run: OperationRun, id: number): Promise<TeepodRow> {
  return run.db.selectFrom('teepods').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** What ends the attempt on the new host; null: not the host's doing, and the attempt is repeated. */
function failureOf(error: unknown): OperationFailed | null {
  if (error instanceof LeaseLost || error instanceof Cancelled) return null;
  const known = error instanceof VmmError ? refused(error) : error;
  return known instanceof OperationFailed ? known : null;
}

/** The CVM runs again where it came from, with its disk as it was. */
async function goBack(run: OperationRun, source: TeepodRow, failure: OperationFailed): Promise<never> {
  if (!run.began(GO_BACK)) await run.moreTime(GO_BACK_SECONDS);
  const { from } = run.operation.payload;
  await run.step(GO_BACK, async () => {
    if (run.cvm.teepod_id !== source.id) {
      // A host that does not answer destroys it when it does: its CVM runs elsewhere then.
      const vm = await findVm(run).catch(() => null);
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
    if (!old) throw new OperationFailed('HOST_REFUSED', 'Its VM is no longer on the old host.');
    await run.patient(() => run.driver.startVm(old.id, run));
    await waitForBoot(run, old.id);
  });
  await run.finish(
    'failed',
    nowRunning(),
    (trx) => settleMove(trx, run.cvm.id),
    new OperationFailed(failure.code, `${failure.message} It runs on its old host again.`),
  );
  throw new AlreadyFinished();
}

async function removeOld(run: OperationRun, source: TeepodRow, vm_id: string | null): Promise<string | void> {
  if (vm_id === null) return 'there was no VM';
  try {
    const driver = run.driverOf(source);
    await driver.removeVm(vm_id, run);
    await run.until(
      'Removing',
      async () => ((await driver.getInfo(vm_id, run)) === null ? true : undefined),
      REMOVE_SECONDS,
    );
  } catch (error) {
    if (error instanceof LeaseLost || run.signal.aborted) throw error;
    run.log.warn({ err: error }, 'the old VM could not be removed yet; the reconciler does it');
    return 'the old host does not answer; it is removed when it does';
  }
}
