import { STEPS } from '../../../console/lib/cvms/steps';
import { changeVm } from './bootCvm';
import type { OperationRun } from './operationRun';

/** Returns the size, type and rate at the end of the operation. */
export function sizeAfter({ cvm, operation: { payload } }: OperationRun) {
  return {
    vcpu: payload.vcpu ?? cvm.vcpu,
    memory_mb: payload.memory_mb ?? cvm.memory_mb,
    disk_gb: payload.disk_gb ?? cvm.disk_gb,
    instance_type: payload.instance_type === undefined ? cvm.instance_type : payload.instance_type,
    hourly_rate_micros: payload.hourly_rate_micros ?? cvm.hourly_rate_micros,
    disk_rate_micros: payload.disk_rate_micros ?? cvm.disk_rate_micros,
  };
}

export const changesSize = ({ operation: { payload } }: OperationRun) =>
  payload.vcpu !== undefined || payload.memory_mb !== undefined || payload.disk_gb !== undefined;

/**
 * Changes the size as part of an update; hosts accept it only while the VM is off. Disks can't shrink, so a
 * larger one stays with the CVM and is billed, even if the rest of the update is reverted.
 */
export async function writeSize(run: OperationRun, vm_id: string): Promise<void> {
  if (!changesSize(run)) return;
  await run.step(STEPS.size, async () => {
    const { vcpu, memory_mb, disk_gb, grown } = run.operation.payload;
    await changeVm(run, vm_id, {
      ...(vcpu === undefined ? {} : { vcpu }),
      ...(memory_mb === undefined ? {} : { memory: memory_mb }),
      ...(disk_gb === undefined ? {} : { disk_size: disk_gb }),
    });
    if (disk_gb !== undefined && disk_gb !== run.cvm.disk_gb) await run.patchCvm({ disk_gb, ...grown });
  });
}

/** Restores vCPU and memory of a VM that is off. */
export async function writeSizeBack(run: OperationRun, vm_id: string): Promise<void> {
  if (!changesSize(run) || !run.began(STEPS.size)) return;
  await changeVm(run, vm_id, { vcpu: run.cvm.vcpu, memory: run.cvm.memory_mb });
}
