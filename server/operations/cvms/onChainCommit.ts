import { findCvm } from '../../db/cvmLookup';
import { Problem } from '../../domain/problem';
import { teamOf } from '../shared/caller';
import type { Handler } from '../types';

/**
 * The second half of updates that a contract must allow first. Their tokens come with status 465, which this server
 * never answers as long as it has no key management service on a chain: so every token is one it did not give out.
 */
export const unknownToken = () =>
  new Problem('HASH_INVALID_OR_EXPIRED', {
    message: 'The commit token is not one of this server, or has expired.',
    suggestions: ['Updates of this server need no commit: send the update itself again.'],
  });

export const commitCvmUpdate: Handler<'commitCvmUpdate'> = async () => {
  throw unknownToken();
};

export const commitCvmReplica: Handler<'commitCvmReplica'> = async ({ path, ctx }) => {
  await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  throw unknownToken();
};
