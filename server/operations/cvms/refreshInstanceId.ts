import { setInstanceId, type InstanceIdTarget } from '../../db/cvms/instanceIds';
import type { NumberedRefresh } from '../../domain/cvms/cvmResponse20260121';
import { VmmError, type VmInfo } from '../../drivers/vmm';
import type { Context, Write } from '../types';

/** Longest wait for a host: its answer is worth little once the client has left. */
export const ANSWER_MS = 10_000;

interface How {
  overwrite?: boolean;
  dry_run?: boolean;
}

/** Queries every host once and writes all new ids together. */
export async function refreshInstanceIds(
  ctx: Context,
  rows: readonly InstanceIdTarget[],
  how: How,
  ask: (teepod: InstanceIdTarget['teepod']) => Promise<VmInfo[]>,
): Promise<NumberedRefresh[]> {
  const hosts = new Map<number, Promise<VmInfo[] | string>>();
  for (const { teepod } of rows)
    if (!hosts.has(teepod.id))
      hosts.set(
        teepod.id,
        ask(teepod).catch((error: unknown) => {
          if (ctx.signal.aborted || !(error instanceof VmmError)) throw error;
          return `The host ${teepod.name} isn't responding.`;
        }),
      );
  const items: NumberedRefresh[] = [];
  for (const row of rows) items.push(judge(row, (await hosts.get(row.teepod.id)) ?? [], how));
  const news = rows.filter((_, i) => items[i]?.status === 'updated');
  if (news.length > 0 && !how.dry_run)
    await ctx.write(async (write) => {
      for (const row of news) await learn(write, row, items[rows.indexOf(row)]?.new_instance_id ?? null);
    });
  return items;
}

function judge(row: InstanceIdTarget, vms: readonly VmInfo[] | string, { overwrite }: How): NumberedRefresh {
  const item = {
    cvm_id: row.public_id,
    cvm_number: row.id,
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
      reason: "Its host has no instance ID for it, because it hasn't booted there yet.",
    };
  const said = { ...item, source: 'teepod_state' as const, new_instance_id: found, reason: null };
  if (found === row.instance_id) return { ...said, status: 'unchanged' };
  if (row.instance_id !== null && !overwrite)
    return {
      ...said,
      status: 'conflict',
      reason: 'A different ID is already stored. Set overwrite to replace it.',
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
    before: { name: row.name, instance_id: row.instance_id },
    after: { name: row.name, instance_id },
  });
}
