import { listRevisions } from '../../db/apps/revisions';
import { toRevision } from '../../domain/apps/appResponse';
import type { Handler } from '../types';
import { appOf } from './appId';

export const listAppRevisions: Handler<'listAppRevisions'> = async ({ path, query, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  const { page = 1, page_size = 20 } = query;
  const { revisions, total } = await listRevisions(ctx.db, app.id, { page, page_size });
  return {
    status: 200,
    body: {
      revisions: revisions.map((row) => toRevision(row, app.app_id, ctx.caller.team)),
      page,
      page_size,
      total,
      total_pages: Math.ceil(total / page_size),
    },
  };
};
