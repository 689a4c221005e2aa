import { listPublicApps as listRows } from '../../db/public/publicApps';
import { publicAppOut } from '../../domain/public/publicAppResponse';
import { idOfCursor, keysetPage } from '../activity/cursor';
import type { Handler } from '../types';

export const listPublicApps: Handler<'listPublicApps'> = async ({ query, ctx }) => {
  const { cursor, limit = 50, q, trust } = query;
  const rows = await listRows(ctx.db, { q, trust, before: idOfCursor(cursor), limit });
  return { status: 200, body: keysetPage(rows, limit, { id: ({ id }) => id, to: publicAppOut }) };
};
