import { sql, type Insertable } from 'kysely';
import { prepared, type Db, type Tx } from '../core/client';
import { CONTINUED } from './aiKeyMinutes';
import type { AiRequestsTable } from './aiTables';
import { toJson } from '../core/json';

/** An ended request as stored. */
export interface EndedRequest extends Omit<Insertable<AiRequestsTable>, 'receipt'> {
  /** Its hold is released. */
  hold_id: string;
  receipt?: Record<string, unknown>;
}

/**
 * Stores ended requests, adds their cost to their keys' days and their tokens to the current minute of keys with a
 * token limit, and releases their holds in one statement, so that their cost is either held or owed. Idempotent.
 */
export async function settleAiRequests(db: Db | Tx, ended: readonly EndedRequest[]): Promise<void> {
  await sql`${prepared}
    with ended as (
      select * from jsonb_to_recordset(${toJson(ended)}::jsonb) as r (
        hold_id text, public_id text, team_id bigint, key_id bigint, created_at timestamptz, gateway text, model text,
        endpoint text, upstream_id bigint, status smallint, outcome text, is_streamed boolean, input_tokens integer,
        cached_tokens integer, output_tokens integer, reasoning_tokens integer, is_estimated boolean,
        first_token_ms integer, duration_ms integer, cost_picos bigint, receipt_id text, receipt jsonb)
    ), released as (
      delete from ai_holds where request_id in (select hold_id from ended)
    ), added as (
      insert into ai_requests (public_id, team_id, key_id, created_at, gateway, model, endpoint, upstream_id, status, outcome,
        is_streamed, input_tokens, cached_tokens, output_tokens, reasoning_tokens, is_estimated, first_token_ms, duration_ms,
        cost_picos, receipt_id, receipt)
      select public_id, team_id, key_id, coalesce(created_at, now()), gateway, model, endpoint, upstream_id, status, outcome,
        is_streamed, input_tokens, cached_tokens, output_tokens, reasoning_tokens, coalesce(is_estimated, false),
        first_token_ms, duration_ms, cost_picos, receipt_id, receipt
      from ended
      on conflict (receipt_id) do nothing
      returning key_id, created_at, cost_picos, input_tokens, output_tokens
    ), counted as (
      insert into ai_key_minutes as m (key_id, unit, began_at, used)
      select a.key_id, 'tokens', now(), sum(a.input_tokens + a.output_tokens)
      from added a join ai_keys k on k.id = a.key_id and k.tokens_per_minute is not null
      where a.created_at > now() - interval '1 minute' and a.input_tokens + a.output_tokens > 0
      group by 1 order by 1
      ${CONTINUED}
    )
    insert into ai_key_days (key_id, day, cost_picos)
    select key_id, (created_at at time zone 'utc')::date, sum(cost_picos) from added where cost_picos > 0
    -- In one order, so that two of these don't wait for each other.
    group by 1, 2 order by 1, 2
    on conflict (key_id, day) do update set cost_picos = ai_key_days.cost_picos + excluded.cost_picos`.execute(
    db,
  );
}

/**
 * Finds the receipt with this ID, or the one of the newest answer with it: model servers choose answer IDs and
 * may repeat them. The receipt's own ID comes first, because no model server chooses it. Each part reads one or
 * few rows by an index.
 */
export const receiptQuery = (key_id: number, id: string) => sql<{ receipt: unknown }>`
  select receipt from (
    select 1 as rank, receipt from ai_requests where receipt_id = ${id} and key_id = ${key_id}
    union all
    (select 2 as rank, receipt from ai_requests
      where public_id = ${id} and key_id = ${key_id} and receipt is not null
      order by id desc limit 1)
  ) as found
  order by rank limit 1`;

/** Returns the receipt with this ID, or the one of the newest answer with it, if this key made the request. */
export async function findReceipt(db: Db, key_id: number, id: string): Promise<unknown> {
  // PostgreSQL's text can't contain it.
  if (id.includes('\0')) return null;
  const { rows } = await receiptQuery(key_id, id).execute(db);
  return rows[0]?.receipt ?? null;
}

/** Yields all of a team's requests, newest first. */
export async function* everyAiRequest(db: Db, of: { team_id: number; key_id?: string }, batch = 200) {
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

/** Returns a team's requests, or those of one of its keys, newest first. */
export async function listAiRequests(
  db: Db,
  { team_id, key_id, before, limit }: { team_id: number; key_id?: string; before?: number; limit: number },
) {
  // Looked up first: with a known key, PostgreSQL doesn't search all requests for one with few.
  const key =
    key_id === undefined
      ? undefined
      : await db
          .selectFrom('ai_keys')
          .select('id')
          .where('team_id', '=', team_id)
          .where('public_id', '=', key_id)
          .executeTakeFirst();
  if (key_id !== undefined && !key) return [];
  return db
    .selectFrom('ai_requests as r')
    .innerJoin('ai_keys as k', 'k.id', 'r.key_id')
    .selectAll('r')
    .select(['k.public_id as key_public_id', 'k.name as key_name'])
    .where('r.team_id', '=', team_id)
    .$if(key !== undefined, (query) => query.where('r.key_id', '=', key?.id ?? 0))
    .$if(before !== undefined, (query) => query.where('r.id', '<', before ?? 0))
    .orderBy('r.id', 'desc')
    .limit(limit)
    .execute();
}

export interface AiUsageRow {
  date: string;
  model: string;
  requests: number;
  input_tokens: number;
  output_tokens: number;
  cost_picos: string;
}

/** Returns usage by day (UTC) and model, oldest first. @param since start of the first day */
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
