import { sql } from 'kysely';
import type { EventKind } from '../../../console/lib/activity/eventKinds';
import type { Db, Tx } from '../core/client';
import { toJson, type Json } from '../core/json';
import type { EventFeedRow } from '../webhooks/eventFeedTable';

/** Arbitrary; identifies the one process that reads the feed. */
const FEED_LOCK = 7_310_214_911;

/**
 * Takes pending feed rows, oldest first, and deletes them in the caller's transaction, so each is processed
 * exactly once. One process at a time, so that receivers see a CVM's events in order.
 */
export async function takeFeed(trx: Tx, limit: number): Promise<EventFeedRow[]> {
  const { rows: held } = await sql<{
    mine: boolean;
  }>`select pg_try_advisory_xact_lock(${FEED_LOCK}) as mine`.execute(trx);
  if (held[0]?.mine !== true) return [];
  const rows = await trx
    .deleteFrom('event_feed')
    .where(
      sql<boolean>`id = any(array(select id from event_feed order by id limit ${limit} for update skip locked))`,
    )
    .returningAll()
    .execute();
  return rows.sort((a, b) => a.id - b.id);
}

export interface TeamEvent {
  team_id: number;
  kind: EventKind;
  severity: 'info' | 'warning' | 'error';
  message: string;
  data: { [key: string]: Json };
}

/** PostgreSQL accepts 65,535 parameters per statement. */
const EVENTS_PER_STATEMENT = 1000;

/** Adds events of teams that concern none of their CVMs. */
export async function addTeamEvents(trx: Db | Tx, events: readonly TeamEvent[]): Promise<void> {
  for (let from = 0; from < events.length; from += EVENTS_PER_STATEMENT)
    await trx
      .insertInto('events')
      .values(
        events.slice(from, from + EVENTS_PER_STATEMENT).map(({ data, ...event }) => ({
          ...event,
          app_id: null,
          cvm_id: null,
          operation_id: null,
          data: toJson(data),
        })),
      )
      .execute();
}

/**
 * Adds events to the feed that stay out of the team's event list, because members without access to billing can
 * read that list. No event has the ID 0.
 */
export async function feedTeam(
  trx: Tx,
  { data, ...event }: Omit<TeamEvent, 'kind'> & { kind: `debt.${string}`; created_at: Date },
): Promise<void> {
  await trx
    .insertInto('event_feed')
    .values({
      ...event,
      event_id: 0,
      cvm_id: null,
      operation_id: null,
      cvm_name: null,
      cvm_status: null,
      vm_uuid: null,
      app_id: null,
      data: toJson(data),
    })
    .execute();
}

export interface LiveTeam {
  id: number;
  slug: string;
  name: string;
}

/** Returns the teams that are not deleted. */
export function liveTeams(trx: Tx, team_ids: readonly number[]): Promise<LiveTeam[]> {
  return trx
    .selectFrom('teams')
    .select(['id', 'slug', 'name'])
    .where('id', 'in', [...team_ids])
    .where('deleted_at', 'is', null)
    .execute();
}
