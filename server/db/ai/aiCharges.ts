import { sql, type Insertable } from 'kysely';
import type { Db, Tx } from '../core/client';
import type { AiHoldsTable, AiMetersTable, AiUsageLinesTable } from './aiTables';

/** How long a hold counts if its request never ended because the process died. Answers take less. */
export const AI_HOLD_HOURS = 2;

export async function insertAiHolds(
  trx: Tx,
  holds: readonly Pick<Insertable<AiHoldsTable>, 'request_id' | 'team_id' | 'key_id' | 'amount_micros'>[],
): Promise<void> {
  if (holds.length > 0)
    await trx
      .insertInto('ai_holds')
      .values([...holds])
      .execute();
}

/** Requests of a team `t` with a cost that isn't charged yet. */
const unposted = sql`from ai_requests r where r.team_id = t.id and not r.is_posted and r.cost_picos > 0`;

/** Cost of a team's uncharged AI requests, in millionths of a micro-dollar, and the amount held for others. */
export interface OpenAiCost {
  /** Includes the remainder of the last posting. */
  picos: bigint;
  /** The part used before the expiry of each credit whose expiry isn't booked yet. */
  expired: { at: Date; picos: bigint }[];
  /** Micro-dollars set aside for requests in progress. */
  held: number;
}

export interface OpenAiCostRow {
  ai_picos: string;
  ai_expired: { at: string; picos: string }[] | null;
  ai_held: number;
}

/**
 * Columns of a query over teams `t`. Within one statement a request is either held or has its cost, never both
 * or neither.
 */
export const openAiCost = sql<OpenAiCostRow>`
  (coalesce((select carry_picos from ai_meters where team_id = t.id), 0)
    + (select coalesce(sum(r.cost_picos), 0) ${unposted}))::text as ai_picos,
  (select jsonb_agg(jsonb_build_object('at', g.expires_at,
      'picos', (select coalesce(sum(r.cost_picos), 0)::text ${unposted} and r.created_at < g.expires_at)))
    from credit_grants g where g.team_id = t.id and g.remaining_micros > 0 and g.expires_at <= now()) as ai_expired,
  (select coalesce(sum(h.amount_micros), 0)::bigint from ai_holds h where h.team_id = t.id
    and h.created_at > now() - make_interval(hours => ${sql.lit(AI_HOLD_HOURS)})) as ai_held`;

export const openAiCostOf = ({ ai_picos, ai_expired, ai_held }: OpenAiCostRow): OpenAiCost => ({
  picos: BigInt(ai_picos),
  expired: (ai_expired ?? []).map(({ at, picos }) => ({ at: new Date(at), picos: BigInt(picos) })),
  held: ai_held,
});

/** Returns teams with uncharged AI requests before `until`, ordered by ID. */
export async function teamsToChargeForAi(
  db: Db,
  until: Date,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('ai_requests')
    .select('team_id')
    .where('is_posted', '=', false)
    .where('cost_picos', '>', 0)
    .where('created_at', '<', until)
    .where('team_id', '>', after)
    .groupBy('team_id')
    .orderBy('team_id')
    .limit(limit)
    .execute();
  return rows.map(({ team_id }) => team_id);
}

/** Returns the time of a team's earliest AI request that is not charged yet; null for none. */
export async function firstUnposted(db: Db | Tx, team_id: number): Promise<Date | null> {
  const { rows } = await sql<{ since: Date | null }>`
    select (select min(r.created_at) ${unposted}) as since from teams t where t.id = ${team_id}`.execute(db);
  return rows[0]?.since ?? null;
}

export const findAiMeter = (db: Db | Tx, team_id: number) =>
  db.selectFrom('ai_meters').selectAll().where('team_id', '=', team_id).executeTakeFirst();

export async function saveAiMeter(trx: Tx, meter: Insertable<AiMetersTable>): Promise<void> {
  const { closed_until, carry_picos } = meter;
  await trx
    .insertInto('ai_meters')
    .values(meter)
    .onConflict((conflict) => conflict.column('team_id').doUpdateSet({ closed_until, carry_picos }))
    .execute();
}

/** Requests of one hour, model and key between two of the moments. */
export interface PostedAiUsage {
  model: string;
  key_id: number;
  starts_at: Date;
  /** Number of moments at or before these requests. */
  passed: number;
  requests: number;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  cost_picos: string;
}

/**
 * Marks a team's AI requests before `end` as charged and sums them. Requests recorded later with an earlier
 * time are found next time.
 * @param moments in ascending order
 */
export async function postAiRequests(
  trx: Tx,
  team_id: number,
  end: Date,
  moments: readonly Date[],
): Promise<PostedAiUsage[]> {
  const { rows } = await sql<PostedAiUsage>`
    with posted as (
      update ai_requests set is_posted = true
      where team_id = ${team_id} and not is_posted and cost_picos > 0 and created_at < ${end}
      returning model, key_id, created_at, input_tokens, cached_tokens, output_tokens, cost_picos
    )
    select model, key_id, date_trunc('hour', created_at, 'UTC') as starts_at,
      width_bucket(created_at, ${[...moments]}::timestamptz[]) as passed, count(*) as requests,
      sum(input_tokens)::bigint as input_tokens, sum(cached_tokens)::bigint as cached_tokens,
      sum(output_tokens)::bigint as output_tokens, sum(cost_picos)::text as cost_picos
    from posted group by 1, 2, 3, 4 order by 3, 1, 2, 4`.execute(trx);
  return rows;
}

export async function insertAiUsageLines(
  trx: Tx,
  lines: readonly Insertable<AiUsageLinesTable>[],
): Promise<void> {
  if (lines.length > 0)
    await trx
      .insertInto('ai_usage_lines')
      .values([...lines])
      .execute();
}

/** Returns a team's charges for AI requests since a moment, and the cost of uncharged ones. */
export async function aiCharges(
  db: Db,
  team_id: number,
  since: Date,
): Promise<{ charged_micros: number; unposted_picos: string }> {
  const { rows } = await sql<{ charged_micros: number; unposted_picos: string }>`
    select (select coalesce(sum(amount_micros), 0)::bigint from ai_usage_lines
        where team_id = t.id and effective_at > ${since}) as charged_micros,
      (select coalesce(sum(r.cost_picos), 0)::text ${unposted}) as unposted_picos
    from teams t where t.id = ${team_id}`.execute(db);
  return rows[0] ?? { charged_micros: 0, unposted_picos: '0' };
}
