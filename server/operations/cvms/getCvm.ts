import { findCvm } from '../../db/cvmLookup';
import { toCvmDetail } from '../../domain/wire/cvm';
import { teamOf } from '../shared/caller';
import type { Handler } from '../types';

export const getCvm: Handler<'getCvm'> = async ({ path, ctx }) => ({
  status: 200,
  body: toCvmDetail(await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id), ctx),
});
