import type { AdminRepairRow } from '../../../../generated/api/types.gen';
import { beginOperation, liveOperation } from '../../../db/operations';
import type { OperationType } from '../../../domain/cvmStates';
import type { Drift } from '../../../domain/drift';
import { Problem } from '../../../domain/problem';
import { uuidOfVmName } from '../../../domain/vmName';
import { isLeftBehind, reconcileTeepod } from '../../../jobs/reconcile';
import type { Context, Handler, Write } from '../../types';
import { compare, type Comparison } from './comparison';
import { teepodOr404 } from './teepod';

/**
 * What the reconciler does every few seconds, done now, and after it what it leaves to a person: what is made of other
 * stuff than the database says is restarted with the right one.
 */
export const repairAdminTeepod: Handler<'repairAdminTeepod'> = async ({ path, body, ctx }) => {
  const teepod = await teepodOr404(ctx.db, path.id);
  const found = await compare(ctx, teepod);
  if (!found.answer.answered)
    throw new Problem('HOST_UNREACHABLE', {
      message: `${teepod.name} does not answer: ${found.answer.error ?? ''}`,
      suggestions: ['Check the teepod to see what is in the way.'],
    });
  const { vm_uuids = [], host_vm_ids = [] } = body;
  const all = vm_uuids.length === 0 && host_vm_ids.length === 0;
  const cvms = found.cvms.filter(
    ({ cvm, drift }) => drift.length > 0 && (all || vm_uuids.includes(cvm.vm_uuid)),
  );
  const vms = found.vms.filter(
    ({ vm, drift }) => drift.some(isStray) && (all || host_vm_ids.includes(vm.id)),
  );
  await reconcileTeepod(ctx, ctx.jobs, teepod);
  const strays = await Promise.all(vms.map((one) => strayRow(ctx, teepod.id, found, one)));
  return ctx.write(async (write) => {
    const rows: AdminRepairRow[] = [];
    for (const one of cvms) rows.push(await repairCvm(ctx, write, one));
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

const isStray = (drift: Drift) => drift === 'left_behind' || drift === 'duplicate' || drift === 'foreign';

async function repairCvm(
  ctx: Context,
  { trx }: Write,
  { cvm: seen, drift }: Comparison['cvms'][number],
): Promise<AdminRepairRow> {
  const row = { name: seen.name, vm_uuid: seen.vm_uuid, host_vm_id: seen.host_vm_id, drift };
  const left = (message: string) => ({ ...row, done: false, message, correlation_id: null });
  const cvm = await trx
    .selectFrom('cvms')
    .selectAll()
    .where('id', '=', seen.id)
    .forUpdate()
    .executeTakeFirst();
  if (!cvm || cvm.deleted_at !== null) return left('It was deleted meanwhile.');
  const live = await liveOperation(trx, cvm.id);
  if (live)
    return {
      ...row,
      done: true,
      message: `Its ${live.type} has begun.`,
      correlation_id: live.correlation_id,
    };
  const what = remedy(cvm.desired, drift);
  if ('why' in what) return left(what.why);
  const operation = await beginOperation(trx, {
    cvm,
    type: what.type,
    payload: { reason: 'Host and database differed.' },
    user_id: null,
  });
  await ctx.jobs.enqueueOperation(trx, operation.correlation_id);
  return { ...row, done: true, message: what.message, correlation_id: operation.correlation_id };
}

function remedy(
  desired: string,
  drift: readonly Drift[],
): { type: OperationType; message: string } | { why: string } {
  if (drift.includes('missing'))
    return desired === 'running'
      ? {
          type: 'start',
          message: 'Its VM is made anew, with an empty disk: the old one is gone with its host’s copy.',
        }
      : { why: 'It is stopped, and its VM is made anew with an empty disk when somebody starts it.' };
  if (desired === 'stopped')
    return drift.includes('status')
      ? { type: 'stop', message: 'It is stopped on the host too.' }
      : { why: 'It is stopped; its VM is brought in line when it is started.' };
  return drift.includes('status')
    ? { type: 'start', message: 'It is started again.' }
    : { type: 'restart', message: 'It is restarted with what the database says.' };
}

async function strayRow(
  ctx: Context,
  teepod_id: number,
  { answer }: Comparison,
  { vm, drift }: Comparison['vms'][number],
): Promise<AdminRepairRow> {
  const uuid = uuidOfVmName(vm.name);
  const removed =
    drift.includes('duplicate') ||
    (uuid !== null &&
      drift.includes('left_behind') &&
      (await isLeftBehind(ctx.db, uuid, teepod_id, answer.asked_at)));
  const message = removed
    ? 'It is removed from the host, with its disk.'
    : drift.includes('foreign')
      ? 'It was not made by this server, which leaves it alone. Remove it on the host itself.'
      : 'Its CVM is not known to this server, or is not settled on its other host yet. It is left alone.';
  return {
    name: vm.name.slice(0, 200),
    vm_uuid: uuid,
    host_vm_id: vm.id,
    drift,
    done: removed,
    message,
    correlation_id: null,
  };
}
