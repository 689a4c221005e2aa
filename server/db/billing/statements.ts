import { sql } from 'kysely';
import { MAX_ROWS } from '../../domain/billing/document/paper';
import type { StatementRest, StatementRow } from '../../domain/billing/document/statementDocument';
import type { Db } from '../core/client';

interface Range {
  start: Date;
  end: Date;
}

/** Bookings after `start`, up to and including `end`: usage is booked at the end of its hour. */
const within = ({ start, end }: Range) => sql`t.effective_at > ${start} and t.effective_at <= ${end}`;

/** Returns a team's balance at a moment, in micro-dollars. */
export async function balanceAt(
  db: Db,
  team_id: number,
  at: Date,
): Promise<{ prepaid: number; credits: number }> {
  const { rows } = await sql<{ prepaid: number; credits: number }>`
    select coalesce(sum(e.amount_micros) filter (where e.account = 'prepaid'), 0)::bigint as prepaid,
      coalesce(sum(e.amount_micros) filter (where e.account = 'credits'), 0)::bigint as credits
    from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
    where e.team_id = ${team_id} and e.account in ('prepaid', 'credits') and t.effective_at <= ${at}`.execute(
    db,
  );
  return rows[0] ?? { prepaid: 0, credits: 0 };
}

/**
 * Returns changes of a team's balance, oldest first: usage by day (UTC), everything else individually. Rows
 * beyond the document's limit are summed.
 */
export async function statementRows(
  db: Db,
  team_id: number,
  range: Range,
): Promise<{ rows: StatementRow[]; rest: StatementRest }> {
  const { rows } = await sql<StatementRow & StatementRest & { is_rest: boolean }>`
    with changes as (
      select t.id, t.kind, t.description, t.effective_at,
        case when t.kind = 'usage' then date_trunc('day', t.effective_at - interval '1 microsecond', 'utc') end as day,
        coalesce(sum(e.amount_micros) filter (where e.account = 'prepaid'), 0) as prepaid,
        coalesce(sum(e.amount_micros) filter (where e.account = 'credits'), 0) as credits
      from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
      where t.team_id = ${team_id} and ${within(range)}
      group by t.id
    ), lines as (
      select day as at, 'Usage' as description, 0 as id, sum(prepaid) as prepaid, sum(credits) as credits
        from changes where kind = 'usage' group by day
      union all
      select effective_at, description, id, prepaid, credits from changes where kind <> 'usage'
    ), placed as (select *, row_number() over (order by at, id) as place from lines)
    select false as is_rest, place, at, description, prepaid::bigint as prepaid, credits::bigint as credits,
        0 as count, 0 as added, 0 as used
      from placed where place <= ${MAX_ROWS}
    union all
    select true, null, null, '', coalesce(sum(prepaid), 0)::bigint, coalesce(sum(credits), 0)::bigint,
        count(*)::int, coalesce(sum(greatest(prepaid + credits, 0)), 0)::bigint,
        coalesce(sum(least(prepaid + credits, 0)), 0)::bigint
      from placed where place > ${MAX_ROWS}
    order by place nulls last`.execute(db);
  const last = rows.pop();
  if (!last?.is_rest) throw new Error('The sums of the rest are missing.');
  const { count, prepaid, credits, added, used } = last;
  return {
    rows: rows.map((row) => ({
      at: row.at,
      description: row.description,
      prepaid: row.prepaid,
      credits: row.credits,
    })),
    rest: { count, prepaid, credits, added, used },
  };
}
