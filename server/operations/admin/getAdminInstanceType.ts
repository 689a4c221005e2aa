import { adminOne } from '../../db/adminList';
import { adminInstanceTypes } from '../../db/adminInstanceTypes';
import { Problem } from '../../domain/problem';
import { adminInstanceTypeOut } from '../../domain/wire/admin';
import type { Handler } from '../types';
import { etagOf } from './change';

export const getAdminInstanceType: Handler<'getAdminInstanceType'> = async ({ path, ctx }) => {
  const row = await adminOne(ctx.db, adminInstanceTypes, path.id);
  if (!row) throw new Problem('NOT_FOUND', { message: `There is no instance type ${path.id}.` });
  return {
    status: 200,
    headers: { ETag: etagOf('instance-types', row.id, row.updated_at) },
    body: adminInstanceTypeOut(row),
  };
};
