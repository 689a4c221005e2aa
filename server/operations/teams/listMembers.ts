import { countMembers, listMembers as list, type MemberPosition } from '../../db/teams/members';
import { memberOut } from '../../domain/teams/memberResponse';
import { userOf, teamOf } from '../core/caller';
import type { Handler } from '../types';
import { invalidField } from '../core/invalid';

export const listMembers: Handler<'listMembers'> = async ({ query, ctx }) => {
  const { id: you } = userOf(ctx);
  const { id: team_id } = teamOf(ctx);
  const q = query.q?.trim() || null;
  const limit = query.limit ?? 50;
  const after = query.cursor ? readCursor(query.cursor) : null;
  const [rows, total] = await Promise.all([
    list(ctx.db, { team_id, q, after, limit: limit + 1 }),
    countMembers(ctx.db, { team_id, q }),
  ]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const has_more = rows.length > limit;
  return {
    status: 200,
    body: {
      data: page.map((row) => memberOut(row, you)),
      pagination: {
        has_more,
        next_cursor:
          has_more && last
            ? writeCursor({ owner: last.role === 'owner', name: last.name, user_id: last.user_id })
            : null,
        total,
      },
    },
  };
};

/** Names have at most 100 characters, so the cursor stays within its length limit. */
const writeCursor = ({ owner, name, user_id }: MemberPosition) =>
  Buffer.from(`${owner ? 1 : 0}.${user_id}.${name}`, 'utf8').toString('base64url');

function readCursor(cursor: string): MemberPosition {
  const match = /^([01])\.(\d{1,15})\.([^\0]*)$/s.exec(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (!match) throw invalidField('cursor', 'Use pagination.next_cursor from the previous page.');
  return { owner: match[1] === '1', user_id: Number(match[2]), name: match[3] ?? '' };
}
