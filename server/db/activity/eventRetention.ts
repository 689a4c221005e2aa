import { sql } from 'kysely';
import type { Db } from '../core/client';

/** How long events are kept. */
export const EVENT_DAYS = 400;
const EVENTS_PER_CVM = 100_000;
const BATCH = 5_000;
/** More than the CVMs of a region add between two runs, and few enough that a backlog doesn't keep other housekeeping waiting. */
const BATCHES = 20;

/**
 * Keeps events for 400 days, and the newest 100,000 of each CVM. Each run covers one sixtieth of the CVMs,
 * selected by the current minute, because counting a CVM's events walks the index.
 */
export async function forgetEvents(
  db: Db,
  per_cvm = EVENTS_PER_CVM,
  minute = new Date().getMinutes(),
): Promise<void> {
  // IDs grow with time, so the oldest come first; an ID out of order holds back later ones until it is old
  // enough.
  for (let batch = 0; batch < BATCHES; batch++) {
    const { numAffectedRows } = await sql`
      delete from events where id in (
        select id from (select id, created_at from events order by id limit ${BATCH}) oldest
        where created_at < now() - make_interval(days => ${EVENT_DAYS}))`.execute(db);
    if ((numAffectedRows ?? 0n) === 0n) break;
  }
  await sql`
    delete from events where id in (
      select e.id from cvms c
      cross join lateral (select id from events where cvm_id = c.id order by id desc offset ${per_cvm} limit 1) newest
      cross join lateral (
        select id from events where cvm_id = c.id and id <= newest.id order by id limit ${BATCH}
      ) e
      where c.id % 60 = ${minute}::int limit ${BATCH})`.execute(db);
}
