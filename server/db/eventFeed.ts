import { sql } from 'kysely';
import type { Db, Tx } from './client';
import type { Json } from './schema';
import type { EventFeedRow } from './schemaWebhooks';

/** Arbitrary; names the one who tells what is in the feed. */
const FEED_LOCK = 7_310_214_911;

/**
 * Takes what waits in the feed, oldest first: it is gone when the transaction commits, so whatever is made of it is
 * made exactly once. One process at a time, so that receivers see the events of a CVM in their order.
 */
export async function takeFeed(trx: Tx, limit: number): Promise<EventFeedRow[]> {
  const { rows: held } = await sql<{
    mine: boolean;
  }>`select pg_try_advisory_xact_lock(${FEED_LOCK}) as mine`.execute(trx);
  if (held[0]?.mine !== true) return [];
  const rows = await trx
    .deleteFrom('event_feed')
    .where('id', 'in', (eb) =>
      eb.selectFrom('event_feed').select('id').orderBy('id').limit(limit).forUpdate().skipLocked(),
    )
    .returningAll()
    .execute();
  return rows.sort((a, b) => a.id - b.id);
}

export async function feedWaits(db: Db): Promise<boolean> {
  const { rows } = await sql<{
    waits: boolean;
  }>`select exists (select 1 from event_feed) as waits`.execute(db);
  return rows[0]?.waits === true;
}

export interface TeamEvent {
  team_id: number;
  kind: string;
  severity: 'info' | 'warning' | 'error';
  message: string;
  data: { [key: string]: Json };
}

/** An event of the team that is about none of its CVMs. */
export async function addTeamEvents(trx: Db | Tx, events: readonly TeamEvent[]): Promise<void> {
  if (events.length === 0) return;
  await trx
    .insertInto('events')
    .values(
      events.map(({ data, ...event }) => ({
        ...event,
        app_id: null,
        cvm_id: null,
        operation_id: null,
        data: JSON.stringify(data),
      })),
    )
    .execute();
}

export interface ToldTeam {
  id: number;
  slug: string;
  name: string;
}

/** Those that are not deleted. */
export function toldTeams(trx: Tx, team_ids: readonly number[]): Promise<ToldTeam[]> {
  return trx
    .selectFrom('teams')
    .select(['id', 'slug', 'name'])
    .where('id', 'in', [...team_ids])
    .where('deleted_at', 'is', null)
    .execute();
}
