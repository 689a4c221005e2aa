import { listTeamTokens } from '../../../db/teams/apiTokens';
import { apiTokenOut } from '../../../domain/teams/tokenResponse';
import { idOfCursor, keysetPage } from '../../activity/cursor';
import { userOf, memberTeamOf } from '../../core/caller';
import type { Handler } from '../../types';
import { seesEverybodys } from './tokenOf';

export const listTokens: Handler<'listTokens'> = async ({ query, ctx }) => {
  const team = memberTeamOf(ctx);
  const limit = query.limit ?? 50;
  const rows = await listTeamTokens(ctx.db, {
    team_id: team.id,
    user_id: seesEverybodys(team.role) ? null : userOf(ctx).id,
    state: query.state ?? null,
    before: idOfCursor(query.cursor) ?? null,
    limit: limit + 1,
  });
  return {
    status: 200,
    body: keysetPage(rows, limit, { id: ({ id }) => id, to: (row) => apiTokenOut(row) }),
  };
};
