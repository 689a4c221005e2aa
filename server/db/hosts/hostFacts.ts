import { sql } from 'kysely';
import type { Db, Tx } from '../core/client';

/** The images, capacity and gateway of hosts: they rarely change, so they are read less often than VMs. */

/** Time between two readings, about. */
const EVERY_MINUTES = 5;
/** An image may take this long to arrive on a host that pulls it. */
const PULL_HOURS = 1;

/** Whether the facts of a row of `teepods` are due. */
export const FACTS_DUE = sql<boolean>`facts_due_at <= now()`.as('facts_due');

/** Schedules the next reading. Spread, so that hosts added together aren't read together. */
export async function noteFactsRead(db: Db, teepod_id: number): Promise<void> {
  await sql`update teepods set facts_due_at = case when facts_often_until > now() then now()
      else now() + interval '1 minute' * ${sql.lit(EVERY_MINUTES)} * (0.8 + 0.4 * random()) end
    where id = ${teepod_id}`.execute(db);
}

/** Reads a host's facts in each round until the image it pulls must have arrived. */
export async function readFactsOften(trx: Tx, teepod_id: number): Promise<void> {
  await sql`update teepods set facts_due_at = now(),
      facts_often_until = now() + make_interval(hours => ${sql.lit(PULL_HOURS)})
    where id = ${teepod_id}`.execute(trx);
}
