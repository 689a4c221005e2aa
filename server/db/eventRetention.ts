import { sql } from 'kysely';
import type { Db } from './client';

export const EVENTS_PER_CVM = 100_000;
const BATCH = 5_000;

/**
 * Events are kept for 400 days, and the newest 100,000 of each CVM. Looks at a sixtieth of the CVMs, those of this
 * minute of the hour: counting the events of one is a walk along the index.
 */
export async function forgetEvents(
  db: Db,
  per_cvm = EVENTS_PER_CVM,
  minute = new Date().getMinutes(),
): Promise<void> {
  // Numbers grow with time, so the oldest come first; where one is out of order, the rest waits for it.
  await sql`
    delete from events where id in (
      select id from (select id, created_at from events order by id limit ${BATCH}) oldest
      where created_at < now() - interval '400 days')`.execute(db);
  await sql`
    delete from events where id in (
      select e.id from cvms c
      cross join lateral (select id from events where cvm_id = c.id order by id desc offset ${per_cvm} limit 1) newest
      cross join lateral (
        select id from events where cvm_id = c.id and id <= newest.id order by id limit ${BATCH}
      ) e
      where c.id % 60 = ${minute}::int limit ${BATCH})`.execute(db);
}
