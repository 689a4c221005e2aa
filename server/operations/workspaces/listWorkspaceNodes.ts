import { listHosts } from '../../db/catalogue';
import { nodeRefOut } from '../../domain/wire/team';
import { teamOfPath } from '../shared/caller';
import { offsetOf, pageOut } from '../shared/paging';
import type { Handler } from '../types';

export const listWorkspaceNodes: Handler<'listWorkspaceNodes'> = async ({ path, query, ctx }) => {
  const team = await teamOfPath(ctx, path.slug);
  const { rows, total } = await listHosts(ctx.db, { team_id: team.id, ...offsetOf(query) });
  return { status: 200, body: pageOut(rows.map(nodeRefOut), total, query) };
};
