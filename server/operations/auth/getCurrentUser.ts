import { countFactors } from '../../db/secondFactors';
import { findUser } from '../../db/users';
import { currentUserOut } from '../../domain/wire/me';
import { memberTeamOf, personOf } from '../shared/caller';
import type { Handler } from '../types';

export const getCurrentUser: Handler<'getCurrentUser'> = async ({ ctx }) => {
  const user = personOf(ctx);
  const [row, factors] = await Promise.all([findUser(ctx.db, user.id), countFactors(ctx.db, user.id)]);
  const has_password = (row?.password_hash ?? null) !== null;
  const facts = { has_password, totp_enabled: factors.totp, has_backup_codes: factors.recovery_codes > 0 };
  return { status: 200, body: currentUserOut(user, memberTeamOf(ctx), facts) };
};
