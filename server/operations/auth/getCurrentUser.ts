import { findUser } from '../../db/users';
import { currentUserOut } from '../../domain/wire/me';
import { personOf, teamOf } from '../shared/caller';
import type { Handler } from '../types';

export const getCurrentUser: Handler<'getCurrentUser'> = async ({ ctx }) => {
  const user = personOf(ctx);
  const row = await findUser(ctx.db, user.id);
  const has_password = (row?.password_hash ?? null) !== null;
  return { status: 200, body: currentUserOut(user, teamOf(ctx), { has_password }) };
};
