import { findCvm } from '../../db/cvmLookup';
import { teamOf } from '../shared/caller';
import type { Handler } from '../types';

export const getCvmPreLaunchScript: Handler<'getCvmPreLaunchScript'> = async ({ path, ctx }) => ({
  status: 200,
  body: (await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id)).revision.pre_launch_script ?? '',
});
