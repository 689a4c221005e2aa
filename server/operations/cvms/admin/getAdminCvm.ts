import { findCvmOfAnyTeam } from '../../../db/cvms/cvmLookup';
import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { cvms } from '../../core/admin/resourcesCvms';

const read = readOf(cvms);

/** Accepts any identifier; the reply's `id` is the one used in addresses. */
export const getAdminCvm: Handler<'getAdminCvm'> = async ({ path, ctx }) => {
  const { vm_uuid } = await findCvmOfAnyTeam(ctx.db, path.id);
  return read({ path: { id: vm_uuid }, ctx });
};
