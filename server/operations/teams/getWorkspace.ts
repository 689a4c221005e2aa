import { workspaceOut } from '../../domain/teams/teamResponse';
import { membershipOf } from '../core/caller';
import type { Handler } from '../types';

export const getWorkspace: Handler<'getWorkspace'> = async ({ ctx }) => {
  const body = workspaceOut(await membershipOf(ctx));
  return { status: 200, headers: { ETag: body.etag }, body };
};
