import { findCvm } from '../../db/cvmLookup';
import { teamOf } from '../shared/caller';
import type { Handler } from '../types';

export const getCvmDockerCompose: Handler<'getCvmDockerCompose'> = async ({ path, ctx }) => ({
  status: 200,
  body: (await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id)).revision.docker_compose_file,
});
