import { STEPS } from '../../../console/lib/cvms/steps';
import { addEvent } from '../../db/activity/operations';
import { STOPPED } from '../../db/cvms/cvmsTable';
import { freeGpusOf } from '../../db/hosts/gpus';
import { holdExactly } from '../../db/hosts/reservations';
import { findVm, shutDown } from '../hosts/host';
import { utcMinute } from '../../domain/core/dates';
import type { OperationRun } from './operationRun';
import { operationText } from '../../../console/lib/texts/operationTexts';

/**
 * Stops a deleted CVM and keeps its VM with its disk. vCPU, memory and GPUs are released; disk and slot stay
 * held. Returns false when its host has no such VM, so there is nothing to keep.
 */
export async function stopForBin(run: OperationRun): Promise<boolean> {
  let kept = true;
  await run.step(STEPS.stop, async () => {
    const vm = await findVm(run);
    if (vm) {
      const how = await shutDown(run, vm);
      if (run.cvm.gpus > 0) await leaveGpus(run, vm.id);
      return how;
    }
    kept = false;
    return operationText('no_vm');
  });
  if (!kept) return false;
  const { purge_at, disk_gb } = run.cvm;
  await run.finish('succeeded', STOPPED, async (trx) => {
    await holdExactly(trx, run.cvm.id, { vcpu: 0, memory_mb: 0, disk_gb });
    await freeGpusOf(trx, run.cvm.id);
    await addEvent(trx, {
      cvm: run.cvm,
      operation: run.operation,
      kind: 'cvm.recycled',
      message: `In the recycle bin until ${purge_at ? utcMinute(purge_at) : 'it is emptied'}`,
      data: { purge_at: purge_at?.toISOString() ?? null },
    });
  });
  return true;
}

/**
 * Detaches GPUs so that the host doesn't count them as taken. If the host is unreachable, the VM's next start
 * corrects it.
 */
const leaveGpus = (run: OperationRun, vm_id: string) =>
  run.driver
    .updateVm(vm_id, { gpus: { attach_mode: 'listed', gpus: [] } }, run)
    .catch((error: unknown) => run.log.warn({ err: error }, "couldn't detach a recycled CVM's GPUs"));
