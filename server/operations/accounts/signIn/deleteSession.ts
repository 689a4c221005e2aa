import { deleteSessionRow } from '../../../db/accounts/signIn';
import { sessionCookie } from '../../../domain/accounts/sessionCookie';
import { hashToken } from '../../../domain/teams/token';
import type { Handler } from '../../types';

export const deleteSession: Handler<'deleteSession'> = async ({ ctx }) => {
  const { session_token } = ctx;
  if (session_token !== null)
    await ctx.write(async ({ trx, audit }) => {
      await deleteSessionRow(trx, hashToken(session_token));
      await audit({
        action: 'session.delete',
        target_kind: 'user',
        target_id: ctx.caller.user?.public_id ?? '',
        team_id: null,
      });
    });
  return { status: 204, headers: { 'Set-Cookie': sessionCookie(ctx.config.publicUrl, null) } };
};
