import type { PendingSignIn, SecondFactorMethod } from '../../../generated/api/types.gen';
import type { Db, Tx } from '../../db/core/client';
import { PENDING_ATTEMPTS } from '../../db/accounts/pendingSignIns';
import { countFactors } from '../../db/accounts/secondFactors';
import type { PendingSignInRow } from '../../db/accounts/pendingSignInsTable';

/** Returns the next step for the sign-in page. */
export async function pendingView(
  db: Db | Tx,
  { user_id, expires_at, attempts }: Pick<PendingSignInRow, 'user_id' | 'expires_at' | 'attempts'>,
): Promise<PendingSignIn> {
  const { totp, passkeys, recovery_codes } = await countFactors(db, user_id);
  const methods: SecondFactorMethod[] = [
    ...(passkeys > 0 ? ['passkey' as const] : []),
    ...(totp ? ['totp' as const] : []),
    ...(recovery_codes > 0 ? ['recovery_code' as const] : []),
  ];
  return {
    methods,
    expires_at: expires_at.toISOString(),
    attempts_left: Math.max(0, PENDING_ATTEMPTS - attempts),
  };
}
