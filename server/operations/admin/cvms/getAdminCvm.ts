import { parseCvmIdentifier } from '../../../../console/lib/ids';
import type { Handler } from '../../types';
import { missing, readOf } from '../resource';
import { cvms } from '../resourcesCvms';

const read = readOf(cvms);

/** By its UUID alone: names and app ids are a team's own, and may mean several here. */
export const getAdminCvm: Handler<'getAdminCvm'> = async ({ path, ctx }) => {
  const named = parseCvmIdentifier(path.id);
  if (named?.kind !== 'uuid') throw missing(cvms, path.id);
  return read({ path: { id: named.vm_uuid }, ctx });
};
