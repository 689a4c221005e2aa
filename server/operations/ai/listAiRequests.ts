import { listAiRequests as listRows } from '../../db/ai/aiRequests';
import { aiRequestOut } from '../../domain/ai/aiResponse';
import { idOfCursor, keysetPage } from '../activity/cursor';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

export const listAiRequests: Handler<'listAiRequests'> = async ({ query, ctx }) => {
  const limit = query.limit ?? 50;
  const before = idOfCursor(query.cursor);
  const rows = await listRows(ctx.db, {
    team_id: teamOf(ctx).id,
    ...(query.key_id === undefined ? {} : { key_id: query.key_id }),
    ...(before === undefined ? {} : { before }),
    limit: limit + 1,
  });
  return { status: 200, body: keysetPage(rows, limit, { id: ({ id }) => id, to: aiRequestOut }) };
};
