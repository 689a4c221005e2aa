import type { InstanceIdRefresh } from '../../../generated/api/types.gen';
import { findCvm } from '../../db/cvms/cvmLookup';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { ANSWER_MS, refreshInstanceIds } from './refreshInstanceId';

/** An instance id is learned during boot; this requests it again if that was missed. */
export const refreshCvmInstanceId: Handler<'refreshCvmInstanceId'> = async ({ path, body, ctx }) => {
  const { cvm, teepod } = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  const [item] = await refreshInstanceIds(ctx, [{ ...cvm, teepod }], body, async () => {
    if (cvm.host_vm_id === null) return [];
    const options = { signal: AbortSignal.any([ctx.signal, AbortSignal.timeout(ANSWER_MS)]) };
    const info = await ctx.vmm.get(teepod).getInfo(cvm.host_vm_id, options);
    return info ? [info] : [];
  });
  return { status: 200, body: { ...(item as InstanceIdRefresh), source: infoSource(item) } };
};

const infoSource = (item: InstanceIdRefresh | undefined) =>
  item?.source === 'teepod_state' ? ('teepod_info' as const) : ('none' as const);
