import type { StepUpMethods } from '../../../generated/api/types.gen';
import type { Db } from '../../db/client';
import { countFactors } from '../../db/secondFactors';
import type { UserRow } from '../../db/schema';

/**
 * How a person can show that it is them, best first. Who has a second factor must show it: a stolen password alone
 * confirms nothing. Who has neither factor nor password signs in again at their provider.
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
