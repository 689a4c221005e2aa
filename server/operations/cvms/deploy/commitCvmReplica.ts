import { findCvm } from '../../../db/cvms/cvmLookup';
import { toVm } from '../../../domain/cvms/vmResponse';
import { teamOf } from '../../core/caller';
import { requireVerified } from '../../core/requireVerified';
import type { Handler } from '../../types';
import { commitReplica } from '../onChain/commitReplica';
import { expired } from '../onChain/commitUpdate';

export const commitCvmReplica: Handler<'commitCvmReplica'> = async ({ path, body, ctx }) => {
  requireVerified(ctx);
  const { cvm } = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  if (!body?.token) throw expired();
  return commitReplica(ctx, body.token, { cvm_id: cvm.id }, body, ({ row, operation }) => ({
    status: 200 as const,
    body: toVm(row, operation),
  }));
};
