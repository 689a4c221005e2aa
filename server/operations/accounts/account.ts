import type { Account } from '../../../generated/api/types.gen';
import type { Db } from '../../db/core/client';
import { findEmailChange } from '../../db/accounts/emailChanges';
import { linksOfUser } from '../../db/teams/ssoLinks';
import { findUser } from '../../db/accounts/users';
import { Problem } from '../../domain/core/problem';
import { accountOut } from '../../domain/accounts/accountResponse';

/**
 * Returns the account as its user sees it. With `team_id`, returns it as seen from a session opened by that
 * team's identity provider: only that team's SSO link is included.
 */
export async function accountView(db: Db, user_id: number, team_id: number | null = null): Promise<Account> {
  const [user, change, sso] = await Promise.all([
    findUser(db, user_id),
    findEmailChange(db, user_id),
    linksOfUser(db, user_id, { team_id }),
  ]);
  if (!user) throw new Problem('UNAUTHENTICATED');
  return accountOut(user, change ?? null, sso);
}
