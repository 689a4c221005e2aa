import { STEPS } from '../../../console/lib/cvms/steps';
import { operationText } from '../../../console/lib/texts/operationTexts';
import { join } from '../../../console/lib/texts/text';
import type { Tx } from '../../db/core/client';
import { statusReason } from '../../db/cvms/statusReason';
import { holdExactly } from '../../db/hosts/reservations';
import { outcome } from '../../domain/cvms/cvmStates';
import { findVm, shutDown } from '../hosts/host';
import { boot, changeVm, nowRunning, previous } from './bootCvm';
import { AlreadyFinished, OperationFailed } from './operationErrors';
import type { OperationRun } from './operationRun';
import { requireAllowedWhileUp } from './requireAllowed';
import { sizeAfter } from './sizeChange';

/** Stops the CVM, changes its size on the host, and starts it if it ran before. */
export const resize = async (run: OperationRun): Promise<void> => {
  const size = sizeAfter(run);
  const stopped = outcome('resize', previous(run)).target === 'stopped';
  const vm = await findVm(run);
  if (vm) {
    await requireAllowedWhileUp(run, vm);
    await run.step(STEPS.stop, () => shutDown(run, vm));
    const { vcpu, memory_mb: memory, disk_gb: disk_size } = size;
    try {
      await run.step(STEPS.size, () => changeVm(run, vm.id, { vcpu, memory, disk_size }));
    } catch (error) {
      if (error instanceof OperationFailed) await keepSize(run, error, stopped);
      throw error;
    }
  }
  await run.patchCvm(size);
  if (!stopped) await boot(run);
  const settle = (trx: Tx) => holdExactly(trx, run.cvm.id, size);
  await run.finish(
    'succeeded',
    stopped ? { status: 'stopped', ...statusReason(null) } : nowRunning(),
    settle,
  );
};

/** The host refused the new size: the CVM keeps its current one. */
async function keepSize(run: OperationRun, failure: OperationFailed, stopped: boolean): Promise<never> {
  if (!stopped) await boot(run);
  await run.finish(
    'failed',
    stopped ? { status: 'stopped', ...statusReason(null) } : nowRunning(),
    (trx) => holdExactly(trx, run.cvm.id, run.cvm),
    new OperationFailed(
      failure.code,
      join(failure.reason, operationText(stopped ? 'size_kept' : 'previous_size_runs')),
    ),
  );
  throw new AlreadyFinished();
}
