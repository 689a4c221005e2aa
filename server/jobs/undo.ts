import type { OperationRow } from '../db/schema';
import { holdExactly } from '../db/reservations';
import { STEPS } from '../domain/cancelling';
import type { CvmDesired, CvmStatus } from '../domain/cvmStates';
import { bringDown, findVm } from './host';
import { boot, nowRunning, putBack, writeBack } from './operationKinds';
import type { OperationRun } from './operationRun';

type Undo = (run: OperationRun) => Promise<void>;

const UNDO_SECONDS = 300;

const previousOf = (run: OperationRun) => {
  const { previous } = run.operation.payload;
  return {
    status: (previous?.status ?? 'error') as CvmStatus,
    desired: (previous?.desired ?? 'stopped') as CvmDesired,
  };
};

const asBefore = (run: OperationRun) => {
  const { status, desired } = previousOf(run);
  const status_reason =
    status === 'error' ? 'It was in error before, and what was to help was cancelled.' : null;
  return { status, desired, status_reason };
};

/** Before the old one was stopped nothing but its files on the host have changed; after that it is booted again. */
const undoUpdate: Undo = async (run) => {
  const vm = await findVm(run);
  if (vm && (run.began(STEPS.stop) || run.began(STEPS.prepare))) {
    await putBack(run, vm.id);
    return run.finish('cancelled', nowRunning());
  }
  if (vm && run.began(STEPS.write)) await writeBack(run, vm.id);
  await run.finish('cancelled', asBefore(run));
};

const undoResize: Undo = async (run) => {
  const settle = (trx: Parameters<typeof holdExactly>[0]) => holdExactly(trx, run.cvm.id, run.cvm);
  if (run.began(STEPS.stop) && previousOf(run).desired === 'running') {
    const vm = await findVm(run);
    // It may still be on its way down; what is started meanwhile would go down with it.
    if (vm) await run.step('let it come down', () => bringDown(run, vm, false));
    await boot(run);
    return run.finish('cancelled', nowRunning(), settle);
  }
  await run.finish('cancelled', asBefore(run), settle);
};

const undoStart: Undo = async (run) => {
  await run.step('stop again', async () => {
    const vm = await findVm(run);
    return vm ? bringDown(run, vm, false) : 'there was no VM';
  });
  await run.finish('cancelled', {
    status: 'stopped',
    desired: 'stopped',
    status_reason: null,
    boot_progress: null,
    boot_error: null,
    started_at: null,
  });
};

const kinds: Partial<Record<OperationRow['type'], Undo>> = {
  update: undoUpdate,
  resize: undoResize,
  start: undoStart,
};

/** Takes back what a cancelled operation did, and ends it. Safe to repeat, as every attempt from here on only does this. */
export async function undoOperation(run: OperationRun): Promise<void> {
  run.beginUndo();
  const { at } = await run.db
    .selectFrom('operations')
    .select('cancel_requested_at as at')
    .where('id', '=', run.operation.id)
    .executeTakeFirstOrThrow();
  // Counted from the cancellation, so that a worker that dies over it again and again does not go on for ever.
  await run.moreTime(UNDO_SECONDS, at ?? new Date());
  run.checkDeadline('Cancelling');
  const undo = kinds[run.operation.type];
  if (!undo) throw new Error(`a ${run.operation.type} cannot be undone`);
  await undo(run);
}
