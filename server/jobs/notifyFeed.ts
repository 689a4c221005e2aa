import { withTransaction, type Db, type Tx } from '../db/client';
import { feedWaits, takeFeed, toldTeams, type ToldTeam } from '../db/eventFeed';
import type { EventFeedRow } from '../db/schemaWebhooks';
import { insertDeliveries, type NewDelivery } from '../db/webhookDeliveries';
import { listeningWebhooks } from '../db/webhooks';
import { newEventId, webhookBody, webhookEventOf } from '../domain/webhook';

const BATCH = 100;

/**
 * Makes of every event what is to be told of it: a delivery for each webhook that asked. Together with the event's
 * leaving the feed, so each is made once, whatever dies when.
 */
export async function tellEvents(db: Db, now: () => Date = () => new Date()): Promise<void> {
  if (!(await feedWaits(db))) return;
  for (;;) {
    const taken = await withTransaction(db, async (trx) => {
      const rows = await takeFeed(trx, BATCH);
      if (rows.length > 0) await tell(trx, rows, now());
      return rows.length;
    });
    if (taken < BATCH) return;
  }
}

async function tell(trx: Tx, rows: readonly EventFeedRow[], at: Date): Promise<void> {
  const team_ids = [...new Set(rows.map(({ team_id }) => team_id))];
  const teams = new Map((await toldTeams(trx, team_ids)).map((team) => [team.id, team]));
  const live = rows.filter(({ team_id }) => teams.has(team_id));
  await insertDeliveries(trx, await deliveries(trx, live, teams, at));
}

async function deliveries(
  trx: Tx,
  rows: readonly EventFeedRow[],
  teams: ReadonlyMap<number, ToldTeam>,
  at: Date,
): Promise<NewDelivery[]> {
  if (teams.size === 0) return [];
  const webhooks = await listeningWebhooks(trx, [...teams.keys()]);
  return rows.flatMap((row) => {
    const told = webhookEventOf(row);
    const team = teams.get(row.team_id);
    if (!told || !team) return [];
    const { event, ...how } = told;
    const event_id = newEventId();
    const { vm_uuid: cvm_id, cvm_name, app_id } = row;
    const data = { cvm_id, cvm_name, app_id, ...how };
    const body = webhookBody({ event_id, event, at: row.created_at, team, data });
    return webhooks
      .filter(({ team_id, events }) => team_id === row.team_id && events.includes(event))
      .map(({ id }) => ({ webhook_id: id, event_id, event, body, next_attempt_at: at }));
  });
}
