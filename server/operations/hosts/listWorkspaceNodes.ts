import { listHosts } from '../../db/catalog/catalog';
import { nodeRefOut } from '../../domain/teams/teamResponse';
import { teamOf } from '../core/caller';
import { offsetOf, pageOut } from '../core/paging';
import type { Handler } from '../types';

export const listWorkspaceNodes: Handler<'listWorkspaceNodes'> = async ({ query, ctx }) => {
  const { rows, total } = await listHosts(ctx.db, { team_id: teamOf(ctx).id, ...offsetOf(query) });
  return { status: 200, body: pageOut(rows.map(nodeRefOut), total, query) };
};
