import { adminList } from '../../db/adminList';
import { adminInstanceTypes } from '../../db/adminInstanceTypes';
import { adminInstanceTypeOut } from '../../domain/wire/admin';
import type { Handler } from '../types';
import { contentRange, parseListQuery } from './listQuery';

export const listAdminInstanceTypes: Handler<'listAdminInstanceTypes'> = async ({ query, ctx }) => {
  const asked = parseListQuery(query, adminInstanceTypes.fields);
  const { rows, total } = await adminList(ctx.db, adminInstanceTypes, asked);
  return {
    status: 200,
    headers: { 'Content-Range': contentRange('instance-types', asked.first, rows.length, total) },
    body: rows.map(adminInstanceTypeOut),
  };
};
