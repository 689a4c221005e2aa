import { listInvitations as list } from '../../../db/teams/invitations';
import { invitationOut } from '../../../domain/teams/memberResponse';
import { idOfCursor, keysetPage } from '../../activity/cursor';
import { teamOf } from '../../core/caller';
import type { Handler } from '../../types';

export const listInvitations: Handler<'listInvitations'> = async ({ query, ctx }) => {
  const limit = query.limit ?? 50;
  const rows = await list(ctx.db, {
    team_id: teamOf(ctx).id,
    state: query.state ?? null,
    before: idOfCursor(query.cursor) ?? null,
    limit: limit + 1,
  });
  return {
    status: 200,
    body: keysetPage(rows, limit, { id: ({ id }) => id, to: (row) => invitationOut(row) }),
  };
};
