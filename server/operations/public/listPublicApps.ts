import { listPublicApps as listRows } from '../../db/public/explorerApps';
import { publicAppOut } from '../../domain/public/publicAppResponse';
import type { Handler } from '../types';
import { cursorOfApp, placeOfCursor } from './explorerCursor';

export const listPublicApps: Handler<'listPublicApps'> = async ({ query, ctx }) => {
  const { cursor, limit = 50, ...filter } = query;
  const rows = await listRows(ctx.db, { ...filter, after: placeOfCursor(cursor), limit });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const pagination = {
    has_more: last !== undefined,
    next_cursor: last ? cursorOfApp(last) : null,
    total: null,
  };
  return { status: 200, body: { data: shown.map(publicAppOut), pagination } };
};
