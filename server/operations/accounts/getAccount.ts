import { userOf } from '../core/caller';
import type { Handler } from '../types';
import { accountView } from './account';

export const getAccount: Handler<'getAccount'> = async ({ ctx }) => {
  const { via_sso, team, session } = ctx.caller;
  // 0 matches no team: a session opened by a provider never sees links to all teams.
  const team_id = via_sso ? (session?.sso_team_id ?? team?.id ?? 0) : null;
  return { status: 200, body: await accountView(ctx.db, userOf(ctx).id, team_id) };
};
