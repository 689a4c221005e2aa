import { touchSession } from '../../../db/accounts/signIn';
import { findUser } from '../../../db/accounts/users';
import { sessionView } from '../../core/session';
import type { Handler } from '../../types';

export const getSession: Handler<'getSession'> = async ({ ctx }) => {
  const { user, kind, team, session, view_as, via_sso } = ctx.caller;
  const [row] = await Promise.all([
    user ? findUser(ctx.db, user.id) : null,
    session === null ? null : touchSession(ctx.db, session.id),
  ]);
  return {
    status: 200,
    body: await sessionView(ctx, row ?? null, {
      session,
      view_as,
      via_sso,
      team_id: kind === 'token' ? (team?.id ?? null) : null,
    }),
  };
};
