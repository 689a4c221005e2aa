import { findCvmIds } from '../../db/cvmLookup';
import { Problem } from '../../domain/problem';
import { teamOf } from '../shared/caller';
import type { Context } from '../types';

/**
 * Numbers of the CVMs a filter names, deleted ones too: their history stays readable. A name or an app id may name
 * several in the course of time. @throws CVM_NOT_FOUND for none.
 */
export async function cvmIdsOf(ctx: Context, identifier: string): Promise<number[]> {
  const ids = await findCvmIds(ctx.db, teamOf(ctx).id, identifier, { deleted: true });
  if (ids.length === 0) throw new Problem('CVM_NOT_FOUND', { message: 'The requested CVM was not found' });
  return ids;
}
