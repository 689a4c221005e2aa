import { sql, type Insertable } from 'kysely';
import type { Db, Tx } from '../core/client';
import type { AiRequestsTable } from './aiTables';

/**
 * Stores a request that has ended, adds its cost to its key's day, and releases what was held for it: one statement, so
 * that its cost is either held or owed. Repeating it changes nothing.
 */
export async function settleAiRequest(
  db: Db | Tx,
  request_id: string,
  request: Insertable<AiRequestsTable>,
): Promise<void> {
  await db
    .with('released', (cte) => cte.deleteFrom('ai_holds').where('request_id', '=', request_id))
    .with('added', (cte) =>
      cte
        .insertInto('ai_requests')
        .values(request)
        .onConflict((conflict) => conflict.column('receipt_id').doNothing())
        .returning(['key_id', 'created_at', 'cost_picos']),
    )
    .insertInto('ai_key_days')
    .columns(['key_id', 'day', 'cost_picos'])
    .expression((eb) =>
      eb
        .selectFrom('added')
        .select(['key_id', sql<string>`(created_at at time zone 'utc')::date`.as('day')])
        .select(sql<string>`cost_picos`.as('cost_picos'))
        .where('cost_picos', '>', 0),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['key_id', 'day'])
        .doUpdateSet({ cost_picos: sql`ai_key_days.cost_picos + excluded.cost_picos` }),
    )
    .execute();
}

/** Returns the receipt with this ID, or of the answer with it, if this key made the request. */
export async function findReceipt(db: Db, key_id: number, id: string): Promise<unknown> {
  const row = await db
    .selectFrom('ai_requests')
    .select('receipt')
    .where('key_id', '=', key_id)
    .where((eb) => eb.or([eb('receipt_id', '=', id), eb('public_id', '=', id)]))
    .executeTakeFirst();
  return row?.receipt ?? null;
}

/** Yields all of a team's requests, newest first. */
export async function* everyAiRequest(db: Db, of: { team_id: number; key_id?: string }, batch = 1000) {
  for (let before: number | undefined; ;) {
    const rows = await listAiRequests(db, {
      ...of,
      ...(before === undefined ? {} : { before }),
      limit: batch,
    });
    yield rows;
    before = rows.at(-1)?.id;
    if (before === undefined || rows.length < batch) return;
  }
}

/** Returns a team's requests, newest first. */
export const listAiRequests = (
  db: Db,
  { team_id, key_id, before, limit }: { team_id: number; key_id?: string; before?: number; limit: number },
) =>
  db
    .selectFrom('ai_requests as r')
    .innerJoin('ai_keys as k', 'k.id', 'r.key_id')
    .selectAll('r')
    .select(['k.public_id as key_public_id', 'k.name as key_name'])
    .where('r.team_id', '=', team_id)
    .$if(key_id !== undefined, (query) => query.where('k.public_id', '=', key_id ?? ''))
    .$if(before !== undefined, (query) => query.where('r.id', '<', before ?? 0))
    .orderBy('r.id', 'desc')
    .limit(limit)
    .execute();

export interface AiUsageRow {
  date: string;
  model: string;
  requests: number;
  input_tokens: number;
  output_tokens: number;
  cost_picos: string;
}

/** Returns use by day (UTC) and model, oldest first. @param since start of the first day */
export async function aiUsageByDay(
  db: Db,
  team_id: number,
  since: Date,
  limit: number,
): Promise<AiUsageRow[]> {
  const { rows } = await sql<AiUsageRow>`
    select (created_at at time zone 'utc')::date as date, model, count(*) as requests,
           sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens, sum(cost_picos)::text as cost_picos
    from ai_requests
    where team_id = ${team_id} and created_at >= ${since}
    group by 1, 2 order by 1, 2 limit ${limit}`.execute(db);
  return rows;
}
