import { parseUuid } from '../../../console/lib/ids';
import { findOperation } from '../../db/operationQueries';
import { Problem } from '../../domain/problem';
import { toOperation } from '../../domain/wire/operation';
import { teamOf } from '../shared/caller';
import type { Handler } from '../types';

export const getOperation: Handler<'getOperation'> = async ({ path, ctx }) => {
  const correlation_id = parseUuid(path.correlation_id);
  const found = correlation_id ? await findOperation(ctx.db, teamOf(ctx).id, correlation_id) : null;
  if (!found) throw new Problem('NOT_FOUND', { message: 'The requested operation was not found' });
  return { status: 200, body: toOperation(found) };
};
