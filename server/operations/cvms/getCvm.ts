import { findCvm } from '../../db/cvmLookup';
import { cvmEtag } from '../../domain/cvmVersion';
import { toCvmDetail } from '../../domain/wire/cvm';
import { teamOf } from '../shared/caller';
import { noteRead } from '../shared/staffRead';
import type { Handler } from '../types';

export const getCvm: Handler<'getCvm'> = async ({ path, ctx }) => {
  const row = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  await noteRead(ctx, row.cvm, 'compose');
  return { status: 200, headers: { ETag: cvmEtag(row) }, body: toCvmDetail(row, ctx) };
};
