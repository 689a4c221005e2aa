import { addEvent } from '../db/operations';
import { freeGpusOf } from '../db/gpus';
import { holdExactly } from '../db/reservations';
import { bringDown, findVm } from './host';
import { utcMinute } from '../domain/schedule';
import type { OperationRun } from './operationRun';

/**
 * Stops a deleted CVM and keeps its VM with its disk. vCPU, memory and GPUs go to others; disk and slot stay held.
 * False: its host has no such VM, so there is nothing to keep.
 */
export async function stopForBin(run: OperationRun): Promise<boolean> {
  let kept = true;
  await run.step('stop', async () => {
    const vm = await findVm(run);
    if (vm) {
      const how = await bringDown(run, vm, true);
      if (run.cvm.gpus > 0) await leaveGpus(run, vm.id);
      return how;
    }
    kept = false;
    return 'there was no VM';
  });
  if (!kept) return false;
  const { purge_at, disk_gb } = run.cvm;
  await run.finish(
    'succeeded',
    {
      status: 'stopped',
      desired: 'stopped',
      status_reason: null,
      boot_progress: null,
      boot_error: null,
      started_at: null,
    },
    async (trx) => {
      await holdExactly(trx, run.cvm.id, { vcpu: 0, memory_mb: 0, disk_gb });
      await freeGpusOf(trx, run.cvm.id);
      await addEvent(trx, {
        cvm: run.cvm,
        operation: run.operation,
        kind: 'cvm.recycled',
        message: `In the recycle bin until ${purge_at ? utcMinute(purge_at) : 'it is emptied'}`,
        data: { purge_at: purge_at?.toISOString() ?? null },
      });
    },
  );
  return true;
}

/** So that the host does not count them as taken. When it cannot be told, the next start of the VM sets it right. */
const leaveGpus = (run: OperationRun, vm_id: string) =>
  run.driver
    .updateVm(vm_id, { gpus: { attach_mode: 'listed', gpus: [] } }, run)
    .catch((error: unknown) => run.log.warn({ err: error }, 'the GPUs of a recycled CVM stay in its files'));
