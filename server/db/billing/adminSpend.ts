import { sql } from 'kysely';
import { DISK_GB_HOUR } from '../../../console/lib/billing/spend';
import type { CloudSpend, Spend, TeamSpend } from '../../domain/accounts/adminPeopleResponse';
import { openAiLines } from '../ai/aiTotals';
import type { Db } from '../core/client';
import { uncoveredSql } from './orders/cover';
import { orderMovements } from './orders/orderTotals';

const NOTHING: Spend = { hourly: 0, today: 0, month: 0, cvms: 0, ai: 0, orders: 0, running: 0, stopped: 0 };

/** Teams listed by name. */
const TOP_TEAMS = 10;

const UNCOVERED = uncoveredSql({
  covers: sql`p.covers`,
  is_size: sql`p.basis = 'size'`,
  full: sql`p.full_rate`,
  gpu: sql`p.gpu_rate`,
  disk: sql`p.disk_rate`,
});

/**
 * Returns what all teams' CVMs cost per hour at `to`, and what they, AI requests and orders cost since `day` and since the
 * start of `month`. Implements domain/metering.ts in one query, because the cloud has too many state changes to read; a
 * test compares the two. Fractions of a micro-dollar are truncated per team. AI requests count when they were made, orders
 * when they were charged.
 */
export async function cloudSpend(
  db: Db,
  { month, day, to }: { month: Date; day: Date; to: Date },
  most = TOP_TEAMS,
): Promise<CloudSpend> {
  const epoch = (at: Date) => Math.floor(at.getTime() / 1000);
  const seconds = (from: Date) =>
    sql`greatest(0, least(coalesce(until_at, ${epoch(to)}), ${epoch(to)}) - greatest(from_at, ${epoch(from)}))`;
  const current = sql`next_at is null and from_at <= ${epoch(to)} and (until_at is null or until_at > ${epoch(to)})`;
  const { rows } = await sql<TeamSpend & { all: Spend }>`
    with asked as (
      select id, team_id from cvms where status <> 'deleted' or deleted_at > ${month}
    ), changes as (
      select a.team_id, c.cvm_id, c.id, c.status, c.hourly_rate_micros as size_rate, c.disk_gb,
        case when c.covers is not null then floor(extract(epoch from c.covered_until))::bigint end as covered_until, c.covers,
        c.gpu_rate_micros as gpu_rate, c.disk_rate_micros as disk_rate, max(floor(extract(epoch from c.at))::bigint) over w as at,
        -- Counts settled states: any other state belongs to the settled one before it.
        count(*) filter (where c.status in ('running', 'stopped', 'error', 'lost', 'starting', 'creating', 'deleting', 'deleted')) over w as settled,
        -- Whether it ran since it last was nothing: then a stopped one has a disk that is paid for.
        count(*) filter (where c.status in ('running', 'creating', 'deleting', 'deleted')) over w as known,
        first.ran
      from asked a
      cross join lateral (
        select coalesce(max(p.id), 0) as id,
          exists (select from cvm_state_changes r where r.cvm_id = a.id and r.status = 'running' and r.at < ${month}) as ran
        from cvm_state_changes p
        where p.cvm_id = a.id and p.at <= ${month} and p.status in ('running', 'stopped', 'error', 'lost', 'creating', 'deleted')
      ) first
      join cvm_state_changes c on c.cvm_id = a.id and c.id >= first.id and c.at < ${to}
      window w as (partition by c.cvm_id order by c.id)
    ), marked as (
      select *, lead(at) over (partition by cvm_id order by id) as next_at,
        coalesce(bool_or(status = 'running') filter (where status in ('running', 'creating', 'deleting', 'deleted'))
          over (partition by cvm_id, known), ran) as had_run
      from changes
    ), based as (
      select *, coalesce(max(case when status = 'running' then 'size'
          when status in ('stopped', 'error', 'starting') then case when had_run then 'disk' else 'none' end
          when status in ('lost', 'creating', 'deleting', 'deleted') then 'none' end)
        over (partition by cvm_id, settled), case when ran then 'disk' else 'none' end) as basis
      from marked
    ), priced as (
      select *, case basis when 'size' then size_rate when 'disk' then disk_gb * ${DISK_GB_HOUR}::bigint else 0 end as full_rate
      from based
    ), rated as (
      -- Two stretches where an order covers a part of the time.
      select p.*, s.at as from_at, s.next_at as until_at, s.rate
      from priced p cross join lateral (
        select p.at, least(p.covered_until, p.next_at) as next_at,
          ${UNCOVERED} as rate
        where p.covered_until > p.at
        union all
        select greatest(p.at, coalesce(p.covered_until, p.at)), p.next_at, p.full_rate
        where p.covered_until is null or p.next_at is null or p.next_at > p.covered_until
      ) s
    ), cvms_spent as (
      select team_id, coalesce(sum(rate) filter (where ${current}), 0) as hourly,
        floor(sum(rate * ${seconds(day)}) / 3600) as today,
        floor(sum(rate * ${seconds(month)}) / 3600) as cvms,
        count(*) filter (where ${current} and basis = 'size') as running,
        count(*) filter (where ${current} and basis = 'disk') as stopped
      from rated group by team_id
    ), ai_spent as (
      select team_id, sum(amount) filter (where at >= ${day}) as today, sum(amount) as ai from (
        select team_id, starts_at as at, amount_micros as amount from ai_usage_lines where starts_at >= ${month} and starts_at < ${to}
        union all
        select team_id, starts_at, amount_micros from (${openAiLines(sql`true`)}) o where starts_at >= ${month}
      ) a group by team_id
    ), orders_spent as (
      select o.team_id, sum(c.amount_micros) filter (where l.effective_at >= ${day}) as today, sum(c.amount_micros) as orders
      from (${orderMovements}) c join orders o on o.id = c.order_id join ledger_transactions l on l.id = c.transaction_id
      where l.effective_at >= ${month} and l.effective_at < ${to} group by o.team_id
    ), teams_spent as (
      select t.id as team_id, t.slug, t.name, coalesce(c.hourly, 0)::float8 as hourly,
        (coalesce(c.today, 0) + coalesce(a.today, 0) + coalesce(o.today, 0))::float8 as today,
        (coalesce(c.cvms, 0) + coalesce(a.ai, 0) + coalesce(o.orders, 0))::float8 as month,
        coalesce(c.cvms, 0)::float8 as cvms, coalesce(a.ai, 0)::float8 as ai, coalesce(o.orders, 0)::float8 as orders,
        coalesce(c.running, 0)::int as running, coalesce(c.stopped, 0)::int as stopped
      from cvms_spent c full join ai_spent a using (team_id) full join orders_spent o using (team_id)
      join teams t on t.id = team_id
    )
    select *, (select json_build_object('hourly', sum(hourly), 'today', sum(today), 'month', sum(month), 'cvms', sum(cvms),
        'ai', sum(ai), 'orders', sum(orders), 'running', sum(running), 'stopped', sum(stopped)) from teams_spent) as all
    from teams_spent order by month desc, hourly desc, team_id limit ${most}`.execute(db);
  return {
    all: rows[0]?.all ?? { ...NOTHING },
    top: rows.map(({ all: _, ...team }) => team),
  };
}
