import { beginOperation } from '../../../db/activity/operations';
import { findRecycled } from '../../../db/cvms/recycleBin';
import { teamOf } from '../../core/caller';
import type { Handler } from '../../types';
import { gone } from './deleteCvm';
import { refuseBusy } from '../busy';

export const purgeRecycledCvm: Handler<'purgeRecycledCvm'> = async ({ path, ctx }) => {
  const team = teamOf(ctx);
  const cvm_id = await ctx.write(async ({ trx, audit }) => {
    const { cvm, operation } = await findRecycled(trx, team.id, path.cvm_id);
    refuseBusy(cvm, operation);
    const purge = await beginOperation(trx, { cvm, type: 'purge', user_id: ctx.caller.user?.id ?? null });
    // Its retention is over: if the host refuses now, deletion is retried until it succeeds.
    await trx.updateTable('cvms').set({ purge_at: new Date() }).where('id', '=', cvm.id).execute();
    await ctx.jobs.enqueueOperation(trx, purge.correlation_id);
    await audit({
      action: 'cvm.purge',
      target_kind: 'cvm',
      target_id: cvm.public_id,
      before: { name: cvm.name, purge_at: cvm.purge_at?.toISOString() ?? null },
      after: { correlation_id: purge.correlation_id },
    });
    return cvm.id;
  });
  await gone(ctx, team.id, cvm_id);
  return { status: 204 };
};
