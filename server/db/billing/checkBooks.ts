import { sql } from 'kysely';
import type { Db, Tx } from '../core/client';

export interface Discrepancy {
  team_id: number;
  /** The wrong sum, such as `balance of prepaid` or `lines of crt_…`. */
  what: string;
  /** Micro-dollars. */
  expected: number;
  found: number;
}

const MAX_FINDINGS = 100;

/**
 * Sums the whole ledger again: cached balances and remaining credit grants against the entries, entries against
 * zero, usage lines of CVMs and AI models against their charges, order terms and refunds against their
 * bookings, payments received against their postings, invoice lines against their sums, and daily sums against
 * the lines. @returns wrong sums, at most 100
 */
export async function checkBooks(db: Db | Tx): Promise<Discrepancy[]> {
  const { rows } = await sql<Discrepancy>`
    with sums as (
      select team_id, account, sum(amount_micros) as total from ledger_entries group by team_id, account
    ), balances as (
      select coalesce(s.team_id, b.team_id) as team_id, 'balance of ' || coalesce(s.account, b.account) as what,
        coalesce(s.total, 0) as expected, coalesce(b.amount_micros, 0) as found
      from sums s full join ledger_balances b on b.team_id = s.team_id and b.account = s.account
    ), grants as (
      select g.team_id, 'remainder of ' || g.public_id as what, coalesce(sum(e.amount_micros), 0) as expected,
        g.remaining_micros as found
      from credit_grants g left join ledger_entries e on e.grant_id = g.id group by g.id
    ), transactions as (
      select t.team_id, 'entries of ' || t.public_id as what, 0 as expected, coalesce(sum(e.amount_micros), -1) as found
      from ledger_transactions t left join ledger_entries e on e.transaction_id = t.id group by t.id
    ), usage as (
      select t.team_id, 'lines of ' || t.public_id as what, r.amount as expected, coalesce(l.amount, 0) as found
      from ledger_transactions t
      cross join lateral (select coalesce(sum(amount_micros), 0) as amount from ledger_entries
        where transaction_id = t.id and account = 'revenue') r
      left join lateral (select sum(amount_micros) as amount from (
        select amount_micros from usage_lines where transaction_id = t.id
        union all select amount_micros from ai_usage_lines where transaction_id = t.id) every_line) l on true
      where t.kind in ('usage', 'usage_correction')
    ), ai as (
      -- In micro-dollars, what the requests cost and what was charged for them.
      select l.team_id, 'AI requests' as what, (sum(l.cost_picos) - coalesce(m.carry_picos, 0)) / 1e6 as expected,
        sum(l.amount_micros) as found
      from ai_usage_lines l left join ai_meters m on m.team_id = l.team_id group by l.team_id, m.carry_picos
    ), orders as (
      select t.team_id, 'order of ' || t.public_id as what, r.amount as expected, coalesce(o.amount, 0) as found
      from ledger_transactions t
      cross join lateral (select coalesce(sum(amount_micros), 0) as amount from ledger_entries
        where transaction_id = t.id and account = 'revenue') r
      left join lateral (select amount_micros as amount from order_terms where transaction_id = t.id
        union all select -amount_micros from order_refunds where transaction_id = t.id) o on true
      where t.kind in ('order', 'order_refund')
    ), received as (
      select p.team_id, 'receipts of ' || p.public_id as what, p.received_micros as expected, coalesce(sum(e.amount_micros), 0) as found
      from payments p left join payment_receipts r on r.payment_id = p.id
      left join ledger_transactions t on t.source_type = 'payment_receipt' and t.source_id = r.id::text
      left join ledger_entries e on e.transaction_id = t.id and e.account = 'prepaid' group by p.id
    ), invoiced as (
      select i.team_id, 'lines of ' || i.public_id as what, i.subtotal_cents * 10000 as expected,
        coalesce(sum(l.amount_cents), 0) * 10000 as found
      from invoices i left join invoice_lines l on l.invoice_id = i.id group by i.id
    ), days as (
      select coalesce(l.team_id, d.team_id) as team_id,
        'usage on ' || to_char(coalesce(l.day, d.day) at time zone 'UTC', 'FMMonth FMDD, YYYY') as what,
        coalesce(l.amount, 0) as expected, coalesce(d.amount_micros, 0) as found
      from (select team_id, date_trunc('day', starts_at, 'UTC') as day, sum(amount_micros) as amount from usage_lines
        where corrects is null group by 1, 2) l
      full join usage_days d on d.team_id = l.team_id and d.day = l.day
    ), every as (
      select * from balances union all select * from grants union all select * from transactions union all select * from usage
      union all select * from ai union all select * from orders union all select * from received union all select * from invoiced
      union all select * from days
    )
    select team_id, what, expected::float8, found::float8 from every where expected <> found
    order by team_id, what limit ${MAX_FINDINGS}`.execute(db);
  return rows;
}
