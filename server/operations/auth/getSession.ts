import { touchSession } from '../../db/signIn';
import { findUser } from '../../db/users';
import { sessionView } from '../shared/session';
import type { Handler } from '../types';

export const getSession: Handler<'getSession'> = async ({ ctx }) => {
  const { user, kind, team, session, view_as } = ctx.caller;
  const [row] = await Promise.all([
    user ? findUser(ctx.db, user.id) : null,
    session === null ? null : touchSession(ctx.db, session.id),
  ]);
  return {
    status: 200,
    body: await sessionView(ctx, row ?? null, {
      session,
      view_as,
      team_id: kind === 'token' ? (team?.id ?? null) : null,
    }),
  };
};
