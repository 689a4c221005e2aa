import { findCvmOfAnyTeam } from '../../../db/cvmLookup';
import type { Handler } from '../../types';
import { readOf } from '../resource';
import { cvms } from '../resourcesCvms';

const read = readOf(cvms);

/** By any identifier; the `id` of the reply is the one addresses have. */
export const getAdminCvm: Handler<'getAdminCvm'> = async ({ path, ctx }) => {
  const { vm_uuid } = await findCvmOfAnyTeam(ctx.db, path.id);
  return read({ path: { id: vm_uuid }, ctx });
};
