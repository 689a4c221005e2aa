import { workspaceOut } from '../../domain/wire/team';
import { membershipOf } from '../shared/caller';
import type { Handler } from '../types';

export const getWorkspace: Handler<'getWorkspace'> = async ({ ctx }) => ({
  status: 200,
  body: workspaceOut(await membershipOf(ctx)),
});
