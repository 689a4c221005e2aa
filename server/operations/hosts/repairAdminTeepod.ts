import type { AdminRepairRow } from '../../../generated/api/types.gen';
import { beginOperation, liveOperation } from '../../db/activity/operations';
import type { OperationType } from '../../domain/cvms/cvmStates';
import type { TeepodRow } from '../../db/hosts/teepodsTable';
import type { VmInfo } from '../../drivers/vmm';
import type { Drift } from '../../domain/hosts/drift';
import { Problem } from '../../domain/core/problem';
import { uuidOfVmName } from '../../domain/cvms/vmName';
import { reconcileTeepod } from '../../jobs/cvms/reconcile';
import { strayOf } from '../../jobs/hosts/strayVms';
import type { Context, Handler, Write } from '../types';
import { compare, type Comparison } from './comparison';
import { switchVm } from './switchVm';
import { teepodOr404 } from './teepod';
import { hostText } from '../../../console/lib/texts/hostTexts';
import type { Text } from '../../../console/lib/texts/text';

/**
 * Runs the reconciler's regular work now, and then the repair it leaves to administrators: VMs whose
 * configuration drifted from the database are restarted with the right one.
 */
export const repairAdminTeepod: Handler<'repairAdminTeepod'> = async ({ path, body, ctx }) => {
  const teepod = await teepodOr404(ctx.db, path.id);
  const found = await compare(ctx, teepod);
  if (!found.answer.answered)
    throw new Problem('HOST_UNREACHABLE', {
      message: `${teepod.name} isn't responding: ${found.answer.error ?? ''}`,
      suggestions: ['Check the teepod for details.'],
    });
  const { vm_uuids = [], host_vm_ids = [] } = body;
  const all = vm_uuids.length === 0 && host_vm_ids.length === 0;
  const cvms = found.cvms.filter(
    ({ cvm, drift }) => drift.length > 0 && (all || vm_uuids.includes(cvm.vm_uuid)),
  );
  const vms = found.vms.filter(
    ({ vm, drift }) =>
      drift.some(isStray) &&
      (all || (host_vm_ids.includes(vm.id) && !vm_uuids.includes(uuidOfVmName(vm.name) ?? ''))),
  );
  await reconcileTeepod(ctx, ctx.jobs, teepod);
  const strays = await Promise.all(vms.map((one) => strayRow(ctx, teepod.id, found, one)));
  return ctx.write(async (write) => {
    const rows: AdminRepairRow[] = [];
    for (const one of cvms)
      rows.push(await repairCvm(ctx, write, teepod, one, chosenVm(found, one, host_vm_ids)));
    rows.push(...strays);
    await write.audit({
      action: 'teepod.repair',
      target_kind: 'teepod',
      target_id: String(teepod.id),
      after: {
        rows: rows.slice(0, 100).map(({ name, drift, done, message }) => ({ name, drift, done, message })),
      },
    });
    return { status: 200, body: { rows: rows.slice(0, 1000) } } as const;
  });
};

/** The VM that the administrator chose for a CVM whose own is missing. */
const chosenVm = (
  { answer }: Comparison,
  { cvm, drift }: Comparison['cvms'][number],
  host_vm_ids: readonly string[],
): VmInfo | undefined =>
  drift.includes('missing')
    ? answer.vms.find(
        ({ id, name, status }) =>
          host_vm_ids.includes(id) && uuidOfVmName(name) === cvm.vm_uuid && status !== 'removing',
      )
    : undefined;

const isStray = (drift: Drift) => drift === 'left_behind' || drift === 'duplicate' || drift === 'foreign';

async function repairCvm(
  ctx: Context,
  { trx }: Write,
  teepod: TeepodRow,
  { cvm: seen, drift }: Comparison['cvms'][number],
  chosen: VmInfo | undefined,
): Promise<AdminRepairRow> {
  const row = { name: seen.name, vm_uuid: seen.vm_uuid, host_vm_id: seen.host_vm_id, drift };
  const said = ({ keys, text }: Text) => ({ message: text, message_keys: keys });
  const left = (text: Text) => ({ ...row, done: false, ...said(text), correlation_id: null });
  const cvm = await trx
    .selectFrom('cvms')
    .selectAll()
    .where('id', '=', seen.id)
    .forUpdate()
    .executeTakeFirst();
  if (!cvm || cvm.deleted_at !== null) return left(hostText('repair_deleted'));
  const live = await liveOperation(trx, cvm.id);
  if (live)
    return {
      ...row,
      done: true,
      ...said(
        live.rolls_back
          ? hostText('repair_rollback_live')
          : hostText('repair_live', { operation: live.type }),
      ),
      correlation_id: live.correlation_id,
    };
  if (chosen) {
    await switchVm(trx, cvm, teepod, chosen, ctx.caller.user?.id ?? null);
    return {
      ...row,
      host_vm_id: chosen.id,
      done: true,
      ...said(hostText('repair_other_vm')),
      correlation_id: null,
    };
  }
  const what = remedy(cvm.desired, drift);
  if ('why' in what) return left(what.why);
  const operation = await beginOperation(trx, {
    cvm,
    type: what.type,
    payload: { reason: 'Host and database differed.' },
    user_id: null,
  });
  await ctx.jobs.enqueueOperation(trx, operation.correlation_id);
  return { ...row, done: true, ...said(what.text), correlation_id: operation.correlation_id };
}

function remedy(
  desired: string,
  drift: readonly Drift[],
): { type: OperationType; text: Text } | { why: Text } {
  if (drift.includes('missing')) return { why: hostText('repair_missing') };
  if (desired === 'stopped')
    return drift.includes('status')
      ? { type: 'stop', text: hostText('repair_stop') }
      : { why: hostText('repair_update_later') };
  return drift.includes('status')
    ? { type: 'start', text: hostText('repair_start') }
    : { type: 'restart', text: hostText('repair_restart') };
}

function whyKept(drift: readonly Drift[]) {
  if (drift.includes('duplicate')) return 'repair_duplicate';
  return drift.includes('foreign') ? 'repair_foreign' : 'repair_unknown';
}

async function strayRow(
  ctx: Context,
  teepod_id: number,
  { answer }: Comparison,
  { vm, drift }: Comparison['vms'][number],
): Promise<AdminRepairRow> {
  const uuid = uuidOfVmName(vm.name);
  const removed =
    drift.includes('left_behind') && (await strayOf(ctx.db, vm, teepod_id, answer.asked_at)) !== null;
  const { keys, text } = hostText(removed ? 'repair_remove' : whyKept(drift));
  return {
    name: vm.name.slice(0, 200),
    vm_uuid: uuid,
    host_vm_id: vm.id,
    drift,
    done: removed,
    message: text,
    message_keys: keys,
    correlation_id: null,
  };
}
