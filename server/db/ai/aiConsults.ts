import { sql, type Insertable } from 'kysely';
import type { Db, Tx } from '../core/client';
import { AI_HOLD_HOURS } from './aiCharges';
import type { AiConsultRow, AiConsultsTable } from './aiTables';

/** @returns the ID that the gateway returns with its report */
export async function insertAiConsult(db: Db | Tx, consult: Insertable<AiConsultsTable>): Promise<number> {
  const { id } = await db.insertInto('ai_consults').values(consult).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Returns a request allowed to this gateway, unless its report is already recorded. */
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

/** Minutes for which a request's hold still counts after a failed attempt. */
const REST_MINUTES = 10;

/**
 * Shortens a request's hold after a failed attempt. Another attempt may be charged, but the gateway doesn't say
 * which one is the last, and failed requests must not hold money for hours.
 */
export async function shortenAiHold(db: Db, request_id: string): Promise<void> {
  await sql`
    update ai_holds set created_at = least(created_at,
      now() - make_interval(hours => ${sql.lit(AI_HOLD_HOURS)}, mins => ${sql.lit(-REST_MINUTES)}))
    where request_id = ${request_id}`.execute(db);
}

/** Releases the hold of a request that an upstream refused. */
export async function releaseAiHold(db: Db, request_id: string): Promise<void> {
  await db.deleteFrom('ai_holds').where('request_id', '=', request_id).execute();
}

/** Forgets a request whose gateway didn't wait for the answer, and its hold. */
export async function forgetAiConsult(db: Db, id: number): Promise<void> {
  await sql`
    with forgotten as (delete from ai_consults where id = ${id} and settled_at is null returning hold_id)
    delete from ai_holds where request_id in (select hold_id from forgotten)`.execute(db);
}
