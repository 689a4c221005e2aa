import { sql, type RawBuilder } from 'kysely';
import { dayStart, type Window } from '../../domain/billing/usageDays';
import type { Db, Tx } from '../core/client';

/** Cost of AI requests, charged or not, as costs, budgets and exports show it. */

interface AiSums {
  model: string;
  /** Null for hours charged before the key was recorded. */
  key_id: number | null;
  requests: number;
  input_tokens: number;
  output_tokens: number;
  amount_micros: number;
}

export interface AiHour extends AiSums {
  /** The hour of the requests. */
  starts_at: Date;
}

/**
 * Selects uncharged requests per team, hour, model and key, with the amounts that the hourly close would charge
 * now. Each amount is its addition to the team's running sum, rounded down, so that they add up (as in
 * `chargePicos`).
 *
 * @param of a condition on `ai_requests r` that selects whole teams, or none
 */
export const openAiLines = (of: RawBuilder<unknown>) => sql<AiHour & { team_id: number }>`
  select team_id, model, key_id, starts_at, requests, input_tokens, output_tokens,
    (floor((carry + sum(picos) over w) / 1000000) - floor((carry + sum(picos) over w - picos) / 1000000))::bigint as amount_micros
  from (
    select r.team_id, r.model, r.key_id, date_trunc('hour', r.created_at, 'UTC') as starts_at, count(*) as requests,
      sum(r.input_tokens)::bigint as input_tokens, sum(r.output_tokens)::bigint as output_tokens,
      sum(r.cost_picos) as picos, coalesce(max(m.carry_picos), 0) as carry
    from ai_requests r left join ai_meters m on m.team_id = r.team_id
    where not r.is_posted and r.cost_picos > 0 and ${of} group by 1, 2, 3, 4
  ) h window w as (partition by team_id order by starts_at, model, key_id rows unbounded preceding)`;

/** Returns a team's requests that are not charged yet. */
export async function openAiHours(db: Db | Tx, team_id: number): Promise<AiHour[]> {
  const { rows } = await sql<AiHour>`
    select model, key_id, starts_at, requests, input_tokens, output_tokens, amount_micros
    from (${openAiLines(sql`r.team_id = ${team_id}`)}) o order by starts_at, model, key_id`.execute(db);
  return rows;
}

const within = (hours: readonly AiHour[], { from, to }: Window) =>
  hours.filter(({ starts_at }) => starts_at >= from && starts_at < to);

interface AiDay extends Omit<AiSums, 'key_id'> {
  /** Start of the UTC day. */
  day: Date;
}

/** Returns a team's AI usage in a window, per UTC day and model. A model may occur twice in a day. */
export async function aiDays(db: Db | Tx, team_id: number, window: Window): Promise<AiDay[]> {
  const { rows } = await sql<AiDay>`
    select model, date_trunc('day', starts_at, 'UTC') as day, sum(requests)::bigint as requests,
      sum(input_tokens)::bigint as input_tokens, sum(output_tokens)::bigint as output_tokens,
      sum(amount_micros)::bigint as amount_micros
    from ai_usage_lines
    where team_id = ${team_id} and starts_at >= ${window.from} and starts_at < ${window.to}
    group by 1, 2 order by 2, 1`.execute(db);
  const open = within(await openAiHours(db, team_id), window);
  return [
    ...rows,
    ...open.map(({ starts_at, key_id: _key, ...hour }) => ({ ...hour, day: dayStart(starts_at) })),
  ];
}

/** Returns the hour of a team's first AI request with a cost; null for none. */
export async function firstAiHour(db: Db | Tx, team_id: number): Promise<Date | null> {
  const { rows } = await sql<{ first: Date | null }>`
    select least((select min(starts_at) from ai_usage_lines where team_id = ${team_id}),
      (select min(created_at) from ai_requests where team_id = ${team_id} and not is_posted and cost_picos > 0)) as first`.execute(
    db,
  );
  return rows[0]?.first ?? null;
}

/**
 * Yields a team's charged AI usage in chronological batches. @param closed excludes later charges, as of
 * `ai_meters.closed_until`
 */
export async function* everyAiLine(
  db: Db,
  team_id: number,
  { from, to }: Window,
  closed: Date,
  batch = 1000,
) {
  for (let after = { starts_at: from, id: 0 }; ;) {
    const rows = await db
      .selectFrom('ai_usage_lines')
      .select(['id', 'model', 'key_id', 'starts_at', 'requests'])
      .select(['input_tokens', 'output_tokens', 'amount_micros'])
      .where('team_id', '=', team_id)
      .where(sql<boolean>`(starts_at, id) > (${after.starts_at}, ${after.id})`)
      .where('starts_at', '<', to)
      .where('effective_at', '<=', closed)
      .orderBy('starts_at')
      .orderBy('id')
      .limit(batch)
      .execute();
    yield rows satisfies AiHour[];
    const last = rows.at(-1);
    if (!last || rows.length < batch) return;
    after = last;
  }
}
