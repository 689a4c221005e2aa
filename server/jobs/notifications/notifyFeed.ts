import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { takeFeed, liveTeams, type LiveTeam } from '../../db/activity/eventFeed';
import type { EventFeedRow } from '../../db/webhooks/eventFeedTable';
import { insertDeliveries, type NewDelivery } from '../../db/webhooks/webhookDeliveries';
import { listeningWebhooks } from '../../db/webhooks/webhooks';
import {
  openNotices,
  recipientsOf,
  resolveNotices,
  type EndedNotice,
  type Recipient,
} from '../../db/notifications/notifications';
import { noticesOf } from '../../domain/notifications/notices';
import type { NotificationKind } from '../../domain/notifications/notify';
import { deliveryBody } from '../../domain/webhooks/chatMessage';
import { newEventId, titleOf, webhookEventOf } from '../../domain/webhooks/webhook';

const BATCH = 100;

/**
 * Turns every event into a delivery for each subscribed webhook and a notification for each recipient, in the
 * transaction that takes the event from the feed, so each is created exactly once.
 */
export async function fanOutEvents(
  db: Db,
  public_url: string,
  now: () => Date = () => new Date(),
): Promise<void> {
  for (;;) {
    const taken = await withTransaction(db, async (trx) => {
      const rows = await takeFeed(trx, BATCH);
      if (rows.length > 0) await fanOut(trx, rows, { public_url, at: now() });
      return rows.length;
    });
    if (taken < BATCH) return;
  }
}

interface FanOut {
  /** This server's URL, for links in chat messages. */
  public_url: string;
  at: Date;
}

async function fanOut(trx: Tx, rows: readonly EventFeedRow[], given: FanOut): Promise<void> {
  const team_ids = [...new Set(rows.map(({ team_id }) => team_id))];
  const teams = new Map((await liveTeams(trx, team_ids)).map((team) => [team.id, team]));
  const live = rows.filter(({ team_id }) => teams.has(team_id));
  await insertDeliveries(trx, await deliveries(trx, live, teams, given));
  await notifyMembers(trx, live, given.at);
}

async function notifyMembers(trx: Tx, rows: readonly EventFeedRow[], at: Date): Promise<void> {
  const known = new Map<string, Recipient[]>();
  const recipients = async (team_id: number, kind: NotificationKind) => {
    const key = `${team_id} ${kind}`;
    const found = known.get(key) ?? (await recipientsOf(trx, team_id, kind));
    known.set(key, found);
    return found;
  };
  // Most events are successes, which resolve what few teams have.
  const over: EndedNotice[] = [];
  const resolve = () => resolveNotices(trx, over.splice(0), at);
  for (const row of rows) {
    const { team_id, cvm_id } = row;
    for (const notice of noticesOf(row))
      if (notice.state === 'over') over.push({ ...notice, team_id });
      else {
        await resolve();
        await openNotices(trx, notice, { team_id, cvm_id, at }, await recipients(team_id, notice.kind));
      }
  }
  await resolve();
}

async function deliveries(
  trx: Tx,
  rows: readonly EventFeedRow[],
  teams: ReadonlyMap<number, LiveTeam>,
  { public_url, at }: FanOut,
): Promise<NewDelivery[]> {
  if (teams.size === 0) return [];
  const webhooks = await listeningWebhooks(trx, [...teams.keys()]);
  return rows.flatMap((row) => {
    const webhookEvent = webhookEventOf(row);
    const team = teams.get(row.team_id);
    if (!webhookEvent || !team) return [];
    const { event, ...how } = webhookEvent;
    const event_id = newEventId();
    const { vm_uuid: cvm_id, cvm_name, app_id } = row;
    const data = { cvm_id, cvm_name, app_id, ...how };
    const payload = { event_id, event, at: row.created_at, team, data, title: titleOf(row) };
    return webhooks
      .filter(({ team_id, events }) => team_id === row.team_id && events.includes(event))
      .map(({ id, format }) => ({
        webhook_id: id,
        event_id,
        event,
        body: deliveryBody(format, payload, public_url),
        next_attempt_at: at,
      }));
  });
}
