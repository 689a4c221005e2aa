import type { StepUpMethods } from '../../../../generated/api/types.gen';
import type { Db } from '../../../db/core/client';
import { countFactors } from '../../../db/accounts/secondFactors';
import type { UserRow } from '../../../db/accounts/usersTable';

/**
 * Returns the ways a user can confirm their identity, best first. Users with a second factor must use it: a
 * stolen password alone confirms nothing. Users with neither factor nor password sign in again at their
 * provider.
 */
export async function stepUpMethods(
  db: Db,
  user: Pick<UserRow, 'id' | 'password_hash'>,
): Promise<StepUpMethods['methods']> {
  const { totp, passkeys } = await countFactors(db, user.id);
  if (totp || passkeys > 0)
    return [...(passkeys > 0 ? ['passkey' as const] : []), ...(totp ? ['totp' as const] : [])];
  return user.password_hash === null ? ['sso'] : ['password'];
}
