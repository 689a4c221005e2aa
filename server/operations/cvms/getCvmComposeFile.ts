import { findCvm } from '../../db/cvmLookup';
import { parseAppCompose } from '../../domain/composeFacts';
import { teamOf } from '../shared/caller';
import { noteRead } from '../shared/staffRead';
import type { Handler } from '../types';

/** Nothing is added to what is measured: clients hash this very object. */
export const getCvmComposeFile: Handler<'getCvmComposeFile'> = async ({ path, ctx }) => {
  const { cvm, revision } = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  await noteRead(ctx, cvm, 'compose');
  return { status: 200, body: parseAppCompose(revision.app_compose) };
};
