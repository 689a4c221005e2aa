import { listSessionsOf } from '../../db/accountSessions';
import { accountSessionOut } from '../../domain/wire/account';
import { personOf } from '../shared/caller';
import type { Handler } from '../types';

export const listAccountSessions: Handler<'listAccountSessions'> = async ({ ctx }) => {
  const rows = await listSessionsOf(ctx.db, personOf(ctx).id);
  const current = ctx.caller.session?.id ?? null;
  return { status: 200, body: rows.map((row) => accountSessionOut(row, current)) };
};
