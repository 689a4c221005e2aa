import type { Account } from '../../../generated/api/types.gen';
import type { Db } from '../../db/client';
import { findEmailChange } from '../../db/emailChanges';
import { connectionsOfUser } from '../../db/ssoMembers';
import { findUser } from '../../db/users';
import { Problem } from '../../domain/problem';
import { accountOut } from '../../domain/wire/account';

/** The account as its person sees it. */
export async function accountView(db: Db, user_id: number): Promise<Account> {
  const [user, change, sso] = await Promise.all([
    findUser(db, user_id),
    findEmailChange(db, user_id),
    connectionsOfUser(db, user_id),
  ]);
  if (!user) throw new Problem('UNAUTHENTICATED');
  return accountOut(user, change ?? null, sso);
}
