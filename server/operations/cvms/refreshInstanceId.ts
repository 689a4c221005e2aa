import type { InstanceIdRefresh } from '../../../generated/api/types.gen';
import { findCvm } from '../../db/cvmLookup';
import { instanceIdTargets, setInstanceId, type InstanceIdTarget } from '../../db/instanceIds';
import { VmmError, type VmInfo } from '../../drivers/vmm';
import { teamOf } from '../shared/caller';
import type { Context, Handler, Write } from '../types';

/** Longest a host is asked: what it says is worth little to somebody who has left. */
const ANSWER_MS = 10_000;

interface How {
  overwrite?: boolean;
  dry_run?: boolean;
}

/** An instance id is learned while booting; this asks again where that was missed. */
export const refreshCvmInstanceId: Handler<'refreshCvmInstanceId'> = async ({ path, body, ctx }) => {
  const { cvm, teepod } = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  const [item] = await refreshed(ctx, [{ ...cvm, teepod }], body, async () => {
    if (cvm.host_vm_id === null) return [];
    const options = { signal: AbortSignal.any([ctx.signal, AbortSignal.timeout(ANSWER_MS)]) };
    const info = await ctx.vmm.get(teepod).getInfo(cvm.host_vm_id, options);
    return info ? [info] : [];
  });
  return { status: 200, body: { ...(item as InstanceIdRefresh), source: infoSource(item) } };
};

export const refreshCvmInstanceIds: Handler<'refreshCvmInstanceIds'> = async ({ body, ctx }) => {
  const { limit = 100 } = body;
  const { total, rows } = await instanceIdTargets(ctx.db, teamOf(ctx).id, {
    cvm_ids: body.cvm_ids,
    running_only: body.running_only ?? false,
    missing_only: body.missing_only ?? false,
    limit,
  });
  const items = await refreshed(ctx, rows, body, async (teepod) => {
    const options = { signal: AbortSignal.any([ctx.signal, AbortSignal.timeout(ANSWER_MS)]) };
    return (await ctx.vmm.get(teepod).status({ brief: true }, options)).vms;
  });
  const count = (status: InstanceIdRefresh['status']) =>
    items.filter((item) => item.status === status).length;
  return {
    status: 200,
    body: {
      total,
      scanned: items.length,
      updated: count('updated'),
      unchanged: count('unchanged'),
      skipped: count('skipped'),
      conflicts: count('conflict'),
      errors: count('error'),
      items,
    },
  };
};

const infoSource = (item: InstanceIdRefresh | undefined) =>
  item?.source === 'teepod_state' ? ('teepod_info' as const) : ('none' as const);

/** Every host is asked once, and what is new is written together. */
async function refreshed(
  ctx: Context,
  rows: readonly InstanceIdTarget[],
  how: How,
  ask: (teepod: InstanceIdTarget['teepod']) => Promise<VmInfo[]>,
): Promise<InstanceIdRefresh[]> {
  const hosts = new Map<number, Promise<VmInfo[] | string>>();
  for (const { teepod } of rows)
    if (!hosts.has(teepod.id))
      hosts.set(
        teepod.id,
        ask(teepod).catch((error: unknown) => {
          if (ctx.signal.aborted || !(error instanceof VmmError)) throw error;
          return `The host ${teepod.name} does not answer.`;
        }),
      );
  const items: InstanceIdRefresh[] = [];
  for (const row of rows) items.push(judge(row, (await hosts.get(row.teepod.id)) ?? [], how));
  const news = rows.filter((_, i) => items[i]?.status === 'updated');
  if (news.length > 0 && !how.dry_run)
    await ctx.write(async (write) => {
      for (const row of news) await learn(write, row, items[rows.indexOf(row)]?.new_instance_id ?? null);
    });
  return items;
}

function judge(
  row: InstanceIdTarget,
  vms: readonly VmInfo[] | string,
  { overwrite }: How,
): InstanceIdRefresh {
  const item = {
    cvm_id: row.id,
    identifier: row.vm_uuid,
    source: 'none' as const,
    verified_with_gateway: false,
    old_instance_id: row.instance_id,
    new_instance_id: null,
  };
  if (typeof vms === 'string') return { ...item, status: 'error', reason: vms };
  const found = vms.find((vm) => vm.id === row.host_vm_id)?.instance_id;
  if (!found)
    return {
      ...item,
      status: 'skipped',
      reason: 'Its host knows no instance id of it; it has not booted there yet.',
    };
  const said = { ...item, source: 'teepod_state' as const, new_instance_id: found, reason: null };
  if (found === row.instance_id) return { ...said, status: 'unchanged' };
  if (row.instance_id !== null && !overwrite)
    return {
      ...said,
      status: 'conflict',
      reason: 'Another id is known already; send overwrite to replace it.',
    };
  return { ...said, status: 'updated' };
}

async function learn(
  { trx, audit }: Write,
  row: InstanceIdTarget,
  instance_id: string | null,
): Promise<void> {
  await setInstanceId(trx, row.id, instance_id);
  await audit({
    action: 'cvm.instance_id',
    target_kind: 'cvm',
    target_id: row.public_id,
    before: { instance_id: row.instance_id },
    after: { instance_id },
  });
}
