import { findCvm } from '../../db/cvmLookup';
import { Problem } from '../../domain/problem';
import { teamOf } from '../shared/caller';
import type { Handler } from '../types';
import { cancel, lockOperation } from './cancel';

export const cancelCvmOperation: Handler<'cancelCvmOperation'> = ({ path, ctx }) =>
  cancel(ctx, async ({ trx }) => {
    const { cvm, operation } = await findCvm(trx, teamOf(ctx).id, path.cvm_id, { lock: true });
    if (!operation)
      throw new Problem('WRONG_STATE', {
        message: `Nothing runs on “${cvm.name}” that could be cancelled.`,
        details: [{ field: 'status', value: cvm.status }],
        suggestions: [],
      });
    return lockOperation(trx, { operation: operation.id, cvm: cvm.id });
  });
