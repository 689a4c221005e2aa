import type { Logger } from 'pino';
import { expiredGrants, takeBack } from '../../db/billing/grants';
import { withTransaction, type Db } from '../../db/core/client';

const AT_ONCE = 500;

/** Books the expiry of credits once everything used before it is posted: they pay for that first. */
export async function expireCredits({ db, log, now }: { db: Db; log: Logger; now: Date }): Promise<void> {
  for (const grant of await expiredGrants(db, now, AT_ONCE))
    await withTransaction(db, (trx) => takeBack(trx, grant, 'credit_expiry', 'Credit expired')).catch(
      (err: unknown) => log.error({ err, credit: grant.public_id }, 'a credit could not expire; retrying'),
    );
}
