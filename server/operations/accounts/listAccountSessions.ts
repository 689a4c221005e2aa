import { listSessionsOf } from '../../db/accounts/accountSessions';
import { accountSessionOut } from '../../domain/accounts/accountResponse';
import { userOf } from '../core/caller';
import type { Handler } from '../types';

export const listAccountSessions: Handler<'listAccountSessions'> = async ({ ctx }) => {
  const rows = await listSessionsOf(ctx.db, userOf(ctx).id);
  const current = ctx.caller.session?.id ?? null;
  return { status: 200, body: rows.map((row) => accountSessionOut(row, current)) };
};
