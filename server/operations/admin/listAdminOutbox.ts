import { adminList } from '../../db/adminList';
import { adminOutbox } from '../../db/adminOutbox';
import { adminOutboxMailOut } from '../../domain/wire/admin';
import type { Handler } from '../types';
import { contentRange, parseListQuery } from './listQuery';

export const listAdminOutbox: Handler<'listAdminOutbox'> = async ({ query, ctx }) => {
  const asked = parseListQuery(query, adminOutbox.fields);
  const { rows, total } = await adminList(ctx.db, adminOutbox, asked);
  return {
    status: 200,
    headers: { 'Content-Range': contentRange('outbox', asked.first, rows.length, total) },
    body: rows.map((row) => adminOutboxMailOut(row, null)),
  };
};
