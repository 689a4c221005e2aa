import { isAnotherAdmin, type LockedUser } from '../../db/adminUsers';
import type { Tx } from '../../db/client';
import { Problem } from '../../domain/problem';

/**
 * Asked by everything after which this person is no platform admin any more, or none who can sign in. Held until the
 * transaction ends, so that of two who leave at once one stays. @throws LAST_PLATFORM_ADMIN
 */
export async function needAnotherAdmin(trx: Tx, person: LockedUser): Promise<void> {
  if (person.platform_role !== 'admin' || person.state !== 'active') return;
  if (!(await isAnotherAdmin(trx, person.id)))
    throw new Problem('LAST_PLATFORM_ADMIN', {
      message: `${person.username} is the only platform admin who can sign in.`,
    });
}
