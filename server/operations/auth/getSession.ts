import { touchSession } from '../../db/signIn';
import { findUser } from '../../db/users';
import { sessionView } from '../shared/session';
import type { Handler } from '../types';

export const getSession: Handler<'getSession'> = async ({ ctx }) => {
  const { user, kind, team, session_id } = ctx.caller;
  const [row] = await Promise.all([
    user ? findUser(ctx.db, user.id) : null,
    session_id === null ? null : touchSession(ctx.db, session_id),
  ]);
  return {
    status: 200,
    body: await sessionView(ctx, row ?? null, kind === 'token' ? (team?.id ?? null) : null),
  };
};
