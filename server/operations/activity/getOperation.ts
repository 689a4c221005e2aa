import { parseUuid } from '../../../console/lib/ids';
import { findOperation } from '../../db/activity/operationQueries';
import { Problem } from '../../domain/core/problem';
import { toOperation } from '../../domain/activity/operationResponse';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

export const getOperation: Handler<'getOperation'> = async ({ path, ctx }) => {
  const correlation_id = parseUuid(path.correlation_id);
  const found = correlation_id ? await findOperation(ctx.db, teamOf(ctx).id, correlation_id) : null;
  if (!found) throw new Problem('NOT_FOUND', { message: 'The requested operation was not found' });
  return { status: 200, body: toOperation(found) };
};
