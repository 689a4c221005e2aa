import type { InstanceIdRefresh } from '../../../generated/api/types.gen';
import { instanceIdTargets } from '../../db/cvms/instanceIds';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { ANSWER_MS, refreshInstanceIds } from './refreshInstanceId';

export const refreshCvmInstanceIds: Handler<'refreshCvmInstanceIds'> = async ({ body, ctx }) => {
  const { limit = 100 } = body;
  const { total, rows } = await instanceIdTargets(ctx.db, teamOf(ctx).id, {
    cvm_ids: body.cvm_ids,
    running_only: body.running_only ?? false,
    missing_only: body.missing_only ?? false,
    limit,
  });
  const items = await refreshInstanceIds(ctx, rows, body, async (teepod) => {
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
