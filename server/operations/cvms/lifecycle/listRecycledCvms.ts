import { listRecycled } from '../../../db/cvms/recycleBin';
import { loadComposeFacts } from '../../../domain/apps/composeFacts';
import { toRecycledCvm } from '../../../domain/cvms/recycledCvmResponse';
import { idOfCursor, keysetPage } from '../../activity/cursor';
import { analyzerOf } from '../../core/analyzer';
import { teamOf } from '../../core/caller';
import type { Handler } from '../../types';

export const listRecycledCvms: Handler<'listRecycledCvms'> = async ({ query, ctx }) => {
  const { cursor, limit = 50 } = query;
  const rows = await listRecycled(ctx.db, teamOf(ctx).id, idOfCursor(cursor), limit);
  await loadComposeFacts(
    rows.map(({ row }) => row.revision),
    analyzerOf(ctx),
  );
  return {
    status: 200,
    body: keysetPage(rows, limit, { id: ({ row }) => row.cvm.id, to: toRecycledCvm }),
  };
};
