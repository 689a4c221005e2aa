import { STEPS } from '../../../console/lib/cvms/steps';
import type { Tx } from '../../db/core/client';
import type { OperationRow } from '../../db/activity/operationsTable';
import { STOPPED } from '../../db/cvms/cvmsTable';
import { stateBefore } from '../../db/cvms/stateBefore';
import { holdExactly } from '../../db/hosts/reservations';
import { isUp } from '../../domain/cvms/vmState';
import { findVm, switchOff } from '../hosts/host';
import { boot, nowRunning } from './bootCvm';
import { bootPreviousRevision, writePreviousRevision } from './updateCvm';
import type { OperationRun } from './operationRun';
import { operationText } from '../../../console/lib/texts/operationTexts';

type Undo = (run: OperationRun) => Promise<void>;

const UNDO_SECONDS = 300;

/** Until the old one is stopped, only its files on the host have changed. After that it is booted again. */
const undoUpdate: Undo = async (run) => {
  const settle = (trx: Tx) => holdExactly(trx, run.cvm.id, run.cvm);
  const vm = await findVm(run);
  if (vm && (run.began(STEPS.stop) || run.began(STEPS.prepare))) {
    await bootPreviousRevision(run, vm.id);
    return run.finish('cancelled', nowRunning(), settle);
  }
  if (vm && run.began(STEPS.write)) await writePreviousRevision(run, vm.id);
  await run.finish('cancelled', stateBefore(run.operation), settle);
};

const undoResize: Undo = async (run) => {
  const settle = (trx: Tx) => holdExactly(trx, run.cvm.id, run.cvm);
  if (run.began(STEPS.stop) && stateBefore(run.operation).desired === 'running') {
    const vm = await findVm(run);
    // It may still be shutting down. A start in that state would be undone by the shutdown.
    if (vm) await run.step(STEPS.come_down, () => switchOff(run, vm));
    await boot(run);
    return run.finish('cancelled', nowRunning(), settle);
  }
  await run.finish('cancelled', stateBefore(run.operation), settle);
};

/** Stops the VM only if this operation started it: one that was already running stays up. */
const undoStart: Undo = async (run) => {
  if (!run.operation.payload.started_vm) {
    const vm = await findVm(run);
    return run.finish(
      'cancelled',
      isUp(vm) ? { ...nowRunning(), desired: 'running' } : stateBefore(run.operation),
    );
  }
  await run.step(STEPS.stop_again, async () => {
    const vm = await findVm(run);
    return vm ? switchOff(run, vm) : operationText('no_vm');
  });
  await run.finish('cancelled', STOPPED);
};

const kinds: Partial<Record<OperationRow['type'], Undo>> = {
  update: undoUpdate,
  resize: undoResize,
  start: undoStart,
};

/** Undoes a canceled operation and ends it. Idempotent, as every later attempt only does this. */
export async function undoOperation(run: OperationRun): Promise<void> {
  run.beginUndo();
  const { at } = await run.db
    .selectFrom('operations')
    .select('cancel_requested_at as at')
    .where('id', '=', run.operation.id)
    .executeTakeFirstOrThrow();
  // Counted from the cancellation, so that a repeatedly dying worker does not retry forever.
  await run.moreTime(UNDO_SECONDS, at ?? new Date());
  run.checkDeadline(operationText('deadline_passed', { phase: 'undo' }));
  const undo = kinds[run.operation.type];
  if (!undo) throw new Error(`a ${run.operation.type} cannot be undone`);
  await undo(run);
}
