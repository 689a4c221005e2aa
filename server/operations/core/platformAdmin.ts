import { isAnotherAdmin, type LockedUser } from '../../db/accounts/adminUsers';
import type { Tx } from '../../db/core/client';
import { Problem } from '../../domain/core/problem';

/** Whether the user is the only platform administrator who can sign in. Locks until the transaction ends. */
export const isOnlyAdmin = async (
  trx: Tx,
  user: Pick<LockedUser, 'id' | 'platform_role' | 'state'>,
): Promise<boolean> =>
  user.platform_role === 'admin' && user.state === 'active' && !(await isAnotherAdmin(trx, user.id));

/**
 * Runs before any change that leaves this user without the administrator role or unable to sign in. Locks
 * until the transaction ends, so that two administrators can't both leave at the same time. @throws
 * LAST_PLATFORM_ADMIN
 */
export async function needAnotherAdmin(trx: Tx, user: LockedUser): Promise<void> {
  if (await isOnlyAdmin(trx, user))
    throw new Problem('LAST_PLATFORM_ADMIN', {
      message: `${user.username} is the only platform admin who can sign in.`,
    });
}
