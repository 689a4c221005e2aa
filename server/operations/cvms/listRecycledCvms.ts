import { listRecycled } from '../../db/recycleBin';
import { toRecycledCvm } from '../../domain/wire/recycledCvm';
import { idOfCursor, keysetPage } from '../activity/cursor';
import { teamOf } from '../shared/caller';
import type { Handler } from '../types';

export const listRecycledCvms: Handler<'listRecycledCvms'> = async ({ query, ctx }) => {
  const { cursor, limit = 50 } = query;
  const rows = await listRecycled(ctx.db, teamOf(ctx).id, idOfCursor(cursor), limit);
  return {
    status: 200,
    body: keysetPage(rows, limit, { id: ({ row }) => row.cvm.id, to: toRecycledCvm }),
  };
};
