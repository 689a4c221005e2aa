import { withTransaction, type Db } from '../../db/core/client';
import { addTeamEvents } from '../../db/activity/eventFeed';
import { openNotices, recipientsOf } from '../../db/notifications/notifications';
import { endTokenNotices, expiringTokens, hostTroubles } from '../../db/notifications/notificationTroubles';

const BATCH = 200;

/** Records hosts that went silent or came back as events of the teams with CVMs on them. */
export async function watchHosts(db: Db): Promise<void> {
  const someHosts = () =>
    withTransaction(db, async (trx) => {
      const { events, more } = await hostTroubles(trx);
      await addTeamEvents(trx, events);
      return more;
    });
  while (await someHosts());
}

/** Notifies owners of API tokens a week and a day before they expire. */
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
        message: 'Create a new one and switch your programs to it before this one expires.',
      } as const;
      const recipients = await recipientsOf(trx, team_id, 'token_expiring', user_id);
      await openNotices(trx, notice, { team_id, cvm_id: null, at }, recipients);
    }
  });
}
