import { sql, type Insertable } from 'kysely';
import type { Db, Tx } from '../core/client';
import { AI_HOLD_HOURS } from './aiCharges';
import type { AiConsultRow, AiConsultsTable } from './aiTables';

/** @returns the ID that the gateway returns with its report */
export async function insertAiConsult(db: Db | Tx, consult: Insertable<AiConsultsTable>): Promise<number> {
  const { id } = await db.insertInto('ai_consults').values(consult).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Returns a request that this gateway was allowed, unless its report is recorded already. */
export const findOpenAiConsult = (
  db: Db,
  gateway_id: number,
  id: number,
): Promise<AiConsultRow | undefined> =>
  db
    .selectFrom('ai_consults')
    .selectAll()
    .where('id', '=', id)
    .where('gateway_id', '=', gateway_id)
    .where('settled_at', 'is', null)
    .executeTakeFirst();

/** @returns false if another report came first */
export async function closeAiConsult(trx: Tx, id: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('ai_consults')
    .set({ settled_at: sql`now()` })
    .where('id', '=', id)
    .where('settled_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Minutes for which the hold of a request still counts after an attempt failed. */
const REST_MINUTES = 10;

/**
 * Shortens the hold of a request of which an attempt failed. Another one may be charged, but the gateway doesn't say when it has
 * tried the last, and money must not be held for hours by requests that failed.
 */
export async function shortenAiHold(db: Db, request_id: string): Promise<void> {
  await sql`
    update ai_holds set created_at = least(created_at,
      now() - make_interval(hours => ${sql.lit(AI_HOLD_HOURS)}, mins => ${sql.lit(-REST_MINUTES)}))
    where request_id = ${request_id}`.execute(db);
}

/** Releases what is held for a request that an upstream refused. */
export async function releaseAiHold(db: Db, request_id: string): Promise<void> {
  await db.deleteFrom('ai_holds').where('request_id', '=', request_id).execute();
}

/** Forgets a request whose gateway didn't wait for the answer, with what is held for it. */
export async function forgetAiConsult(db: Db, id: number): Promise<void> {
  await sql`
    with forgotten as (delete from ai_consults where id = ${id} and settled_at is null returning hold_id)
    delete from ai_holds where request_id in (select hold_id from forgotten)`.execute(db);
}
