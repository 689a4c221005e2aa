import { parseUuid } from '../../../console/lib/ids';
import { Problem } from '../../domain/core/problem';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { cancel, lockOperation } from './cancel';

export const cancelOperation: Handler<'cancelOperation'> = ({ path, ctx }) =>
  cancel(ctx, async ({ trx }) => {
    const correlation_id = parseUuid(path.correlation_id);
    const found =
      correlation_id === null
        ? undefined
        : await trx
            .selectFrom('operations')
            .select(['id', 'cvm_id'])
            .where('correlation_id', '=', correlation_id)
            .where('team_id', '=', teamOf(ctx).id)
            .executeTakeFirst();
    if (!found) throw new Problem('NOT_FOUND', { message: 'The requested operation was not found' });
    return lockOperation(trx, { operation: found.id, cvm: found.cvm_id });
  });
