import { adminList } from '../../db/adminList';
import { adminNodes } from '../../db/adminNodes';
import { adminNodeOut } from '../../domain/wire/admin';
import type { Handler } from '../types';
import { contentRange, parseListQuery } from './listQuery';

export const listAdminNodes: Handler<'listAdminNodes'> = async ({ query, ctx }) => {
  const asked = parseListQuery(query, adminNodes.fields);
  const { rows, total } = await adminList(ctx.db, adminNodes, asked);
  return {
    status: 200,
    headers: { 'Content-Range': contentRange('nodes', asked.first, rows.length, total) },
    body: rows.map(adminNodeOut),
  };
};
