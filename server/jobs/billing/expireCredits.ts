import type { Logger } from 'pino';
import { expiredGrants, expireGrant, noteExpiring } from '../../db/billing/grants';
import { notifyPayers } from '../../db/billing/paymentNotices';
import { withTransaction, type Db } from '../../db/core/client';
import { expiringNotice } from '../../domain/billing/paymentNotice';

const BATCH_SIZE = 500;

/**
 * Books the expiry of credits once all usage before it is posted, because they pay for that first. Payers are
 * notified of credits that expire soon.
 */
export async function expireCredits({ db, log, now }: { db: Db; log: Logger; now: Date }): Promise<void> {
  for (const grant of await expiredGrants(db, now, BATCH_SIZE))
    await withTransaction(db, (trx) => expireGrant(trx, grant, now)).catch((err: unknown) =>
      log.error({ err, credit: grant.public_id }, "couldn't expire a credit; retrying"),
    );
  await withTransaction(db, async (trx) => {
    for (const { public_id, team_id, remaining_micros, reason, expires_at } of await noteExpiring(
      trx,
      now,
      BATCH_SIZE,
    ))
      await notifyPayers(
        trx,
        team_id,
        `expires:${public_id}:${expires_at.toISOString()}`,
        expiringNotice(remaining_micros, reason, expires_at),
      );
  });
}
