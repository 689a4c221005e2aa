import { managedCvms, type ManagedCvm } from '../../db/hosts/fleet';
import type { TeepodRow } from '../../db/hosts/teepodsTable';
import { driftOfCvm, driftOfVm, vmOf, type Drift } from '../../domain/hosts/drift';
import { uuidOfVmName } from '../../domain/cvms/vmName';
import type { VmInfo } from '../../drivers/vmm';
import type { Context } from '../types';
import { askHost, type HostAnswer } from './teepod';

export interface Comparison {
  answer: HostAnswer;
  cvms: { cvm: ManagedCvm; vm: VmInfo | undefined; drift: Drift[] }[];
  vms: { vm: VmInfo; cvm: ManagedCvm | undefined; drift: Drift[] }[];
  /** CVMs the database has on the host. */
  total: number;
}

/** Compares what the database has on a host with what the host lists. */
export async function compare(ctx: Context, teepod: TeepodRow): Promise<Comparison> {
  const answer = await askHost(ctx, teepod);
  const { cvms, recycled, total } = await managedCvms(ctx.db, teepod.id);
  const byUuid = new Map(cvms.map((cvm) => [cvm.vm_uuid, cvm]));
  const kept = new Set(recycled);
  return {
    answer,
    total,
    cvms: cvms.map((cvm) => {
      const vm = vmOf(cvm, answer.vms);
      return { cvm, vm, drift: answer.answered ? driftOfCvm(cvm, vm) : [] };
    }),
    vms: answer.vms.map((vm) => {
      const uuid = uuidOfVmName(vm.name) ?? '';
      const cvm = byUuid.get(uuid);
      if (kept.has(uuid)) return { vm, cvm, drift: [] };
      return {
        vm,
        cvm,
        drift: [...driftOfVm(vm, cvm), ...(cvm?.host_vm_id === vm.id ? driftOfCvm(cvm, vm) : [])],
      };
    }),
  };
}
