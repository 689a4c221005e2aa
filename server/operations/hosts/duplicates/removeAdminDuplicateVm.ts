import { addEvent, liveOperation } from '../../../db/activity/operations';
import { adminOne } from '../../../db/core/adminList';
import { adminDuplicateVms } from '../../../db/hosts/duplicateVms';
import { Problem } from '../../../domain/core/problem';
import { uuidOfVmName } from '../../../domain/cvms/vmName';
import { VmmError, type VmInfo, type VmmDriver } from '../../../drivers/vmm';
import { missing } from '../../core/admin/resource';
import { refuseBusy } from '../../cvms/busy';
import type { Context, Handler } from '../../types';
import { teepodOr404 } from '../teepod';
import { duplicateVmOut, duplicateVms } from './resource';

const ANSWER_MS = 15_000;

/** Removes a duplicate that its host still lists and no CVM uses, after recording it in the team's audit log. */
export const removeAdminDuplicateVm: Handler<'removeAdminDuplicateVm'> = async ({ path, ctx }) => {
  const found = await adminOne(ctx.db, adminDuplicateVms, path.id);
  if (!found) throw missing(duplicateVms, path.id);
  const { host_vm_id } = found;
  const teepod = await teepodOr404(ctx.db, found.teepod_id);
  const driver = ctx.vmm.get(teepod);
  const vm = await ask(ctx, teepod.name, () => infoOf(ctx, driver, host_vm_id));
  if (vm && uuidOfVmName(vm.name) !== found.cvm_id)
    throw new Problem('CONFLICT', {
      message: `The VM ${host_vm_id} on ${teepod.name} now has a different name.`,
      suggestions: ["Check the host's VMs on the teepod's page."],
    });
  await ctx.write(async ({ trx, audit }) => {
    const cvm = await trx
      .selectFrom('cvms')
      .selectAll()
      .where('vm_uuid', '=', found.cvm_id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    refuseBusy(cvm, await liveOperation(trx, cvm.id));
    const user = await trx
      .selectFrom('cvms')
      .select('name')
      .where('host_vm_id', '=', host_vm_id)
      .where((eb) => eb.or([eb('status', '<>', 'deleted'), eb('purge_at', 'is not', null)]))
      .limit(1)
      .executeTakeFirst();
    if (user)
      throw new Problem('CONFLICT', {
        message: `The VM ${host_vm_id} is in use by “${user.name}”.`,
        suggestions: ["Remove the VM that the CVM doesn't use."],
      });
    await addEvent(trx, {
      cvm,
      kind: 'cvm.vm_removed',
      severity: 'warning',
      message: `An administrator removed a VM on ${teepod.name} that this CVM doesn’t use`,
      data: { host_vm_id, reason: 'administrator' },
    });
    await audit({
      action: 'duplicate_vm.remove',
      target_kind: 'cvm',
      target_id: cvm.public_id,
      team_id: cvm.team_id,
      before: {
        host_vm_id,
        teepod: teepod.name,
        status: vm?.status ?? null,
        disk_gb: found.disk_gb,
      },
    });
  });
  if (vm) await ask(ctx, teepod.name, () => driver.removeVm(host_vm_id, callOf(ctx)));
  // The reconciler forgets it once its host no longer lists it.
  return { status: 200, body: duplicateVmOut({ ...found, status: vm ? 'removing' : found.status }) };
};

const callOf = (ctx: Context) => ({
  signal: AbortSignal.any([ctx.signal, AbortSignal.timeout(ANSWER_MS)]),
});

const infoOf = (ctx: Context, driver: VmmDriver, id: string): Promise<VmInfo | null> =>
  driver.getInfo(id, callOf(ctx));

/** @throws HOST_UNREACHABLE */
async function ask<T>(ctx: Context, host: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    ctx.signal.throwIfAborted();
    const isSilent = error instanceof DOMException && error.name === 'TimeoutError';
    if (!isSilent && !(error instanceof VmmError)) throw error;
    throw new Problem('HOST_UNREACHABLE', {
      message: `${host} isn't responding: ${isSilent ? `no response within ${ANSWER_MS / 1000} seconds` : error.message}`,
      suggestions: ['Try again once the host responds.'],
    });
  }
}
