import { currentBalance } from '../../../db/billing/accrued';
import { countFactors } from '../../../db/accounts/secondFactors';
import { findUser } from '../../../db/accounts/users';
import { currentUserOut } from '../../../domain/accounts/sessionResponse';
import { memberTeamOf, userOf } from '../../core/caller';
import type { Handler } from '../../types';

export const getCurrentUser: Handler<'getCurrentUser'> = async ({ ctx }) => {
  const user = userOf(ctx);
  const team = memberTeamOf(ctx);
  const [row, factors, balance] = await Promise.all([
    findUser(ctx.db, user.id),
    countFactors(ctx.db, user.id),
    // Viewers may not see the balance; everyone who can deploy needs it.
    team.role === 'viewer' ? null : currentBalance(ctx.db, team.id, new Date()),
  ]);
  const has_password = (row?.password_hash ?? null) !== null;
  const facts = { has_password, totp_enabled: factors.totp, has_backup_codes: factors.recovery_codes > 0 };
  return { status: 200, body: currentUserOut(user, team, facts, balance) };
};
