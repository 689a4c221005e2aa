import { adminOne } from '../../db/adminList';
import { adminNodes } from '../../db/adminNodes';
import { Problem } from '../../domain/problem';
import { adminNodeOut } from '../../domain/wire/admin';
import type { Handler } from '../types';
import { etagOf } from './change';

export const getAdminNode: Handler<'getAdminNode'> = async ({ path, ctx }) => {
  const row = await adminOne(ctx.db, adminNodes, path.id);
  if (!row) throw new Problem('NOT_FOUND', { message: `There is no node ${path.id}.` });
  return { status: 200, headers: { ETag: etagOf('nodes', row.id, row.updated_at) }, body: adminNodeOut(row) };
};
