import { findCvm } from '../../db/cvms/cvmLookup';
import { teamOf } from '../core/caller';
import { noteRead } from '../core/staffRead';
import type { Handler } from '../types';

export const getCvmDockerCompose: Handler<'getCvmDockerCompose'> = async ({ path, ctx }) => {
  const { cvm, revision } = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  await noteRead(ctx, cvm, 'compose');
  return { status: 200, body: revision.docker_compose_file };
};
