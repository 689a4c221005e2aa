import { adminList } from '../../db/adminList';
import { adminTeepods } from '../../db/adminTeepods';
import { adminTeepodOut } from '../../domain/wire/admin';
import type { Handler } from '../types';
import { contentRange, parseListQuery } from './listQuery';

export const listAdminTeepods: Handler<'listAdminTeepods'> = async ({ query, ctx }) => {
  const asked = parseListQuery(query, adminTeepods.fields);
  const { rows, total } = await adminList(ctx.db, adminTeepods, asked);
  return {
    status: 200,
    headers: { 'Content-Range': contentRange('teepods', asked.first, rows.length, total) },
    body: rows.map(adminTeepodOut),
  };
};
