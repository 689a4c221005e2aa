import { findCvm } from '../../db/cvms/cvmLookup';
import { parseAppCompose } from '../../domain/apps/composeFacts';
import { teamOf } from '../core/caller';
import { noteRead } from '../core/staffRead';
import type { Handler } from '../types';

/** Adds nothing to the measured object: clients hash it as is. */
export const getCvmComposeFile: Handler<'getCvmComposeFile'> = async ({ path, ctx }) => {
  const { cvm, revision } = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  await noteRead(ctx, cvm, 'compose');
  return { status: 200, body: parseAppCompose(revision.app_compose) };
};
