import { workspaceOut } from '../../domain/wire/team';
import { teamOfPath } from '../shared/caller';
import type { Handler } from '../types';

export const getWorkspace: Handler<'getWorkspace'> = async ({ path, ctx }) => ({
  status: 200,
  body: workspaceOut(await teamOfPath(ctx, path.slug)),
});
