import { listHosts } from '../../db/catalogue';
import { nodeRefOut } from '../../domain/wire/team';
import { teamOf } from '../shared/caller';
import { offsetOf, pageOut } from '../shared/paging';
import type { Handler } from '../types';

export const listWorkspaceNodes: Handler<'listWorkspaceNodes'> = async ({ query, ctx }) => {
  const { rows, total } = await listHosts(ctx.db, { team_id: teamOf(ctx).id, ...offsetOf(query) });
  return { status: 200, body: pageOut(rows.map(nodeRefOut), total, query) };
};
