import { countTeams, listTeams } from '../../db/teams/teams';
import { Problem } from '../../domain/core/problem';
import { workspaceOut } from '../../domain/teams/teamResponse';
import { userOf } from '../core/caller';
import type { Handler } from '../types';

export const listWorkspaces: Handler<'listWorkspaces'> = async ({ query, ctx }) => {
  const { id: user_id } = userOf(ctx);
  // Tokens and sessions opened by single sign-on are bound to one team and do not see the others.
  const { kind, session } = ctx.caller;
  const team_id = kind === 'token' ? (ctx.caller.team?.id ?? 0) : (session?.sso_team_id ?? null);
  const limit = query.limit ?? 50;
  const after = query.cursor === undefined ? null : readCursor(query.cursor);
  const [rows, total] = await Promise.all([
    listTeams(ctx.db, { user_id, team_id, after, limit: limit + 1 }),
    team_id === null ? countTeams(ctx.db, user_id) : 1,
  ]);
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const has_more = rows.length > limit;
  return {
    status: 200,
    body: {
      data: data.map(workspaceOut),
      pagination: { has_more, next_cursor: has_more && last ? writeCursor(last) : null, total },
    },
  };
};

interface Position {
  is_default: boolean;
  id: number;
}

const writeCursor = ({ is_default, id }: Position) =>
  Buffer.from(`${is_default ? 1 : 0}.${id}`).toString('base64url');

function readCursor(cursor: string): Position {
  const match = /^([01])\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (!match)
    throw new Problem('VALIDATION_FAILED', {
      message: 'Invalid cursor.',
      details: [{ field: 'cursor', message: 'Use pagination.next_cursor from the previous page.' }],
    });
  return { is_default: match[1] === '1', id: Number(match[2]) };
}
