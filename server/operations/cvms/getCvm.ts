import { findCvm } from '../../db/cvms/cvmLookup';
import { cvmEtag } from '../../domain/cvms/cvmVersion';
import { toCvmDetail } from '../../domain/cvms/cvmResponse';
import { loadFacts } from '../core/analyzer';
import { teamOf } from '../core/caller';
import { noteRead } from '../core/staffRead';
import type { Handler } from '../types';

export const getCvm: Handler<'getCvm'> = async ({ path, ctx }) => {
  const row = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  await loadFacts(ctx, row.revision);
  await noteRead(ctx, row.cvm, 'compose');
  return { status: 200, headers: { ETag: cvmEtag(row) }, body: toCvmDetail(row, ctx) };
};
