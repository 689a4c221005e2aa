import { revisionRow } from '../../../db/apps/revisions';
import { Problem } from '../../../domain/core/problem';
import { revisionRef } from '../../../domain/core/references';
import { checkTexts } from '../../core/text';
import type { Handler } from '../../types';
import { confirmationIn } from '../onChain/gate';
import { changeCvm } from './change';
import { restoreRevision, type Restored } from '../lifecycle/restore';

export const redeployCvmRevision: Handler<'redeployCvmRevision'> = async ({ path, body, ctx }) => {
  checkTexts(body, ['reason']);
  let restored: Restored;
  return changeCvm(ctx, {
    cvm_id: path.cvm_id,
    type: 'update',
    confirms: confirmationIn(ctx),
    payload: async (row, write) => {
      const target = await revisionRow(write.trx, row.app.id, path.revision_id);
      if (!target) throw new Problem('NOT_FOUND', { message: "Revision not found for this CVM's app." });
      restored = await restoreRevision(ctx, write, row, target, body);
      const { shutdown_timeout, allow_force_stop } = body;
      return {
        ...restored.payload,
        ...(shutdown_timeout === undefined ? {} : { shutdown_timeout }),
        ...(allow_force_stop === undefined ? {} : { allow_force_stop }),
      };
    },
    reply: (_row, operation) => ({
      status: 202 as const,
      body: {
        correlation_id: operation.correlation_id,
        revision: revisionRef(restored.revision),
        restores: restored.restores && revisionRef(restored.restores),
        missing_envs: restored.missing_envs,
      },
    }),
  });
};
