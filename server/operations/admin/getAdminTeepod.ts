import { adminOne } from '../../db/adminList';
import { adminTeepods } from '../../db/adminTeepods';
import { Problem } from '../../domain/problem';
import { adminTeepodOut } from '../../domain/wire/admin';
import type { Handler } from '../types';
import { etagOf } from './change';

export const getAdminTeepod: Handler<'getAdminTeepod'> = async ({ path, ctx }) => {
  const row = await adminOne(ctx.db, adminTeepods, path.id);
  if (!row) throw new Problem('NOT_FOUND', { message: `There is no teepod ${path.id}.` });
  return {
    status: 200,
    headers: { ETag: etagOf('teepods', row.id, row.updated_at) },
    body: adminTeepodOut(row),
  };
};
