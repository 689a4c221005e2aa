import { findCvm } from '../../db/cvms/cvmLookup';
import { Problem } from '../../domain/core/problem';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { cancel, lockOperation } from './cancel';

export const cancelCvmOperation: Handler<'cancelCvmOperation'> = ({ path, ctx }) =>
  cancel(ctx, async ({ trx }) => {
    const { cvm, operation } = await findCvm(trx, teamOf(ctx).id, path.cvm_id, { lock: true });
    if (!operation)
      throw new Problem('WRONG_STATE', {
        message: `“${cvm.name}” has no operation in progress to cancel.`,
        details: [{ field: 'status', value: cvm.status }],
        suggestions: [],
      });
    return lockOperation(trx, { operation: operation.id, cvm: cvm.id });
  });
