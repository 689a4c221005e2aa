import { withTransaction, type Db } from '../db/client';
import { addTeamEvents } from '../db/eventFeed';
import { openNotices, recipientsOf } from '../db/notifications';
import { endTokenNotices, expiringTokens, hostTroubles } from '../db/notificationTroubles';

const BATCH = 200;

/** Hosts that went silent or are back become events of the teams that have something on them. */
export async function watchHosts(db: Db): Promise<void> {
  await withTransaction(db, async (trx) => addTeamEvents(trx, await hostTroubles(trx)));
}

/** Owners of API tokens are told a week and a day before these end. */
export async function watchTokens(db: Db, now: () => Date = () => new Date()): Promise<void> {
  await withTransaction(db, async (trx) => {
    const at = now();
    await endTokenNotices(trx, at);
    for (const token of await expiringTokens(trx, BATCH)) {
      const { team_id, user_id, days } = token;
      const notice = {
        state: 'open',
        kind: 'token_expiring',
        subject: `token:${token.public_id}:${days}`,
        severity: days === 1 ? 'error' : 'warning',
        title: `The API token ${token.name} expires ${days === 1 ? 'within a day' : 'within a week'}`,
        message: 'Make a new one and change over before the programs that use it are refused.',
      } as const;
      const recipients = await recipientsOf(trx, team_id, 'token_expiring', user_id);
      await openNotices(trx, notice, { team_id, cvm_id: null, at }, recipients);
    }
  });
}
