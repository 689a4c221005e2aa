import { sql } from 'kysely';
import { PAYING_ROLES, type TeamRole } from '../../../domain/core/caller';
import type { Db } from '../../core/client';
import { waitsForPayerSql } from '../paymentsTables';

/** Returns all teams' sums by account, in micro-dollars. */
export async function ledgerSums(db: Db): Promise<{ account: string; amount: number }[]> {
  const { rows } = await sql<{ account: string; amount: number }>`
    select account, sum(amount_micros)::bigint as amount from ledger_balances
    group by account order by account limit 200`.execute(db);
  return rows;
}

export const lastCheck = (db: Db) =>
  db
    .selectFrom('ledger_checks')
    .select(['checked_at', 'transactions', 'discrepancies'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Returns the names of existing teams, by ID. */
export async function teamNames(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('teams').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

interface PaidTeam {
  team_id: number;
  slug: string;
  name: string;
  role: TeamRole;
  /** Micro-dollars, as posted. */
  prepaid: number;
  credits: number;
  post_paid_cap: number;
  debt_since: Date | null;
  stops_at: Date | null;
  stopped_at: Date | null;
  deletes_at: Date | null;
  deleted_at: Date | null;
  unpaid_invoices: number;
  /** Micro-dollars. */
  unpaid: number;
  /** Excludes card payments that were declined or abandoned: they bring nothing unless the payer returns. */
  waiting_payments: number;
  pending_actions: number;
  received_payments: number;
  card_brand: string | null;
  card_last4: string | null;
}

/** Returns the teams that a user pays for, the default team first. */
export async function teamsPaidBy(db: Db, user_id: number): Promise<PaidTeam[]> {
  const { rows } = await sql<PaidTeam>`
    select t.id as team_id, t.slug, t.name, m.role, t.post_paid_cap_micros as post_paid_cap,
      coalesce(b.prepaid, 0)::bigint as prepaid, coalesce(b.credits, 0)::bigint as credits,
      d.started_at as debt_since, d.stops_at, d.stopped_at, d.deletes_at, d.deleted_at,
      i.count as unpaid_invoices, i.total as unpaid, p.count as waiting_payments, a.count as pending_actions,
      r.count as received_payments, c.brand as card_brand, c.last4 as card_last4
    from memberships m join teams t on t.id = m.team_id and t.deleted_at is null
    left join lateral (select sum(amount_micros) filter (where account = 'prepaid') as prepaid,
      sum(amount_micros) filter (where account = 'credits') as credits from ledger_balances where team_id = t.id) b on true
    left join debts d on d.team_id = t.id and d.settled_at is null
    cross join lateral (select count(*)::int as count, coalesce(sum(total_cents), 0)::bigint * 10000 as total
      from invoices where team_id = t.id and state in ('open', 'overdue')) i
    cross join lateral (select count(*)::int as count from payments y
      where y.team_id = t.id and y.state in ('pending', 'part_paid') and not ${waitsForPayerSql('y')}) p
    cross join lateral (select count(*)::int as count from finance_actions
      where team_id = t.id and state = 'pending' and expires_at > now()) a
    cross join lateral (select count(*)::int as count from payments where team_id = t.id and received_micros > 0) r
    left join team_cards c on c.team_id = t.id
    where m.user_id = ${user_id} and m.role = any(${[...PAYING_ROLES]}::text[])
    order by m.is_default desc, t.id limit 200`.execute(db);
  return rows;
}
