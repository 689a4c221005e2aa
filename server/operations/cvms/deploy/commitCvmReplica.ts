import { findCvm } from '../../../db/cvms/cvmLookup';
import { teamOf } from '../../core/caller';
import type { Handler } from '../../types';
import { unknownToken } from './onChainCommit';

export const commitCvmReplica: Handler<'commitCvmReplica'> = async ({ path, ctx }) => {
  await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  throw unknownToken();
};
