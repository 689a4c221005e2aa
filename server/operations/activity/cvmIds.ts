import { findCvmIds } from '../../db/cvms/cvmLookup';
import { Problem } from '../../domain/core/problem';
import { teamOf } from '../core/caller';
import type { Context } from '../types';

/**
 * Returns the ids of the CVMs a filter names, including deleted ones, whose history stays readable. A name
 * or app id may match several over time. @throws CVM_NOT_FOUND if none match
 */
export async function cvmIdsOf(ctx: Context, identifier: string): Promise<number[]> {
  const ids = await findCvmIds(ctx.db, teamOf(ctx).id, identifier, { deleted: true });
  if (ids.length === 0) throw new Problem('CVM_NOT_FOUND', { message: 'The requested CVM was not found' });
  return ids;
}
