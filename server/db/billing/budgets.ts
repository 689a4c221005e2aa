import { sql } from 'kysely';
import { amountWithin } from '../../domain/billing/metering';
import { periodOf, type BudgetAction } from '../../domain/billing/budget';
import { publicId } from '../../domain/core/publicId';
import { openAiHours } from '../ai/aiTotals';
import { prepared, type Db, type Tx } from '../core/client';
import type { CvmRow } from '../cvms/cvmsTable';
import { accruedUsage } from './accrued';
import type { BudgetRow } from './budgetsTables';
import { ordersSpent } from './orders/orderTotals';

export const MAX_BUDGETS = 50;

/** A budget with its app; `app_name` and `app_hex` are null for the whole team. */
export interface NamedBudget extends BudgetRow {
  app_name: string | null;
  app_hex: string | null;
}

const named = (db: Db | Tx) =>
  db
    .selectFrom('budgets as b')
    .leftJoin('apps as a', 'a.id', 'b.app_id')
    .selectAll('b')
    .select(['a.name as app_name', 'a.app_id as app_hex']);

/** Returns a team's budgets, its own first. */
export const budgetsOfTeam = (db: Db | Tx, team_id: number): Promise<NamedBudget[]> =>
  named(db)
    .where('b.team_id', '=', team_id)
    .orderBy(sql`a.name nulls first`)
    .orderBy('b.id')
    .limit(MAX_BUDGETS)
    .execute();

/** Locks a budget of a team until the transaction ends. */
export const lockBudget = (trx: Tx, team_id: number, public_id: string): Promise<NamedBudget | undefined> =>
  named(trx)
    .where('b.team_id', '=', team_id)
    .where('b.public_id', '=', public_id)
    .forUpdate('b')
    .executeTakeFirst();

/** Returns teams that have budgets, ordered by ID. */
export async function teamsWithBudgets(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('budgets as b')
    .innerJoin('teams as t', 't.id', 'b.team_id')
    .select('b.team_id')
    .where('t.deleted_at', 'is', null)
    .where('b.team_id', '>', after)
    .groupBy('b.team_id')
    .orderBy('b.team_id')
    .limit(limit)
    .execute();
  return rows.map(({ team_id }) => team_id);
}

export interface Used {
  /** Usage in the current period, including orders; in micro-dollars, like all amounts here. */
  used: number;
  /** The orders' share. They are already paid, so stopping CVMs wouldn't save any of it. */
  orders: number;
  /** Posted metered usage, as of entry `seq` of the team's ledger. */
  posted: number;
  seq: number;
  from: Date;
  to: Date;
}

/**
 * Returns the usage of each budget's team or app in its current period, by budget ID: CVMs, and for team
 * budgets also AI requests and orders. Posted usage is only summed again after the team's ledger has grown,
 * usually once an hour. Run it in a snapshot, or with the ledger locked: an hour posted between two of its
 * statements would otherwise count twice or not at all.
 */
export async function usedByBudgets(
  db: Tx,
  team_id: number,
  budgets: readonly BudgetRow[],
  now: Date,
): Promise<Map<number, Used>> {
  const head = await db
    .selectFrom('ledger_heads')
    .select('seq')
    .where('team_id', '=', team_id)
    .executeTakeFirst();
  const seq = head?.seq ?? 0;
  const { lines } = await accruedUsage(db, team_id, now);
  const apps = await appsOf(db, [...new Set(lines.map(({ cvm_id }) => cvm_id))]);
  const isOfTeam = budgets.some(({ app_id }) => app_id === null);
  const ai = isOfTeam ? await openAiHours(db, team_id) : [];
  const found = new Map<number, Used>();
  for (const budget of budgets) {
    const { from, to } = periodOf(budget.period, now);
    const isFresh = budget.posted_seq === seq && budget.period_start.getTime() === from.getTime();
    const posted = isFresh ? budget.posted_micros : await postedUsage(db, budget, { from, to });
    const accrued = lines
      .filter(({ cvm_id }) => budget.app_id === null || apps.get(cvm_id) === budget.app_id)
      .reduce((sum, line) => sum + amountWithin(line, { from, to: now }), 0);
    const asked = ai
      .filter(({ starts_at }) => budget.app_id === null && starts_at >= from)
      .reduce((sum, { amount_micros }) => sum + amount_micros, 0);
    const orders = budget.app_id === null ? await ordersSpent(db, team_id, { from, to }) : 0;
    found.set(budget.id, { used: posted + accrued + asked + orders, orders, posted, seq, from, to });
  }
  return found;
}

/**
 * Returns a team budget that refuses further orders of this amount in the current period, with its remainder;
 * null for none. Pending orders count as if they were charged. Call with the team's ledger locked.
 */
export async function budgetExceededBy(
  trx: Tx,
  team_id: number,
  { total, waiting, now }: { total: number; waiting: number; now: Date },
): Promise<{ budget: NamedBudget; left: number } | null> {
  const budgets = (await budgetsOfTeam(trx, team_id)).filter(
    ({ app_id, action }) => app_id === null && action !== 'notify',
  );
  if (budgets.length === 0) return null;
  const used = await usedByBudgets(trx, team_id, budgets, now);
  for (const budget of budgets) {
    const left = budget.amount_micros - (used.get(budget.id)?.used ?? 0) - waiting;
    if (total > left) return { budget, left: Math.max(0, left) };
  }
  return null;
}

async function appsOf(db: Tx, cvm_ids: readonly number[]): Promise<Map<number, number>> {
  if (cvm_ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; app_id: number }>`
    select id, app_id from cvms where id = any(${[...cvm_ids]}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, app_id }) => [id, app_id]));
}

/**
 * Returns posted metered usage of a period. A posted line is within one hour; only corrections can start before
 * a period or end after it.
 */
async function postedUsage(
  db: Tx,
  { team_id, app_id }: BudgetRow,
  { from, to }: { from: Date; to: Date },
): Promise<number> {
  const ofApp =
    app_id === null
      ? sql`true`
      : sql`exists (select 1 from cvms c where c.id = l.cvm_id and c.app_id = ${app_id})`;
  const { rows: sums } = await sql<{ amount: number }>`
    select coalesce(sum(l.amount_micros), 0)::bigint as amount from usage_lines l
    where l.team_id = ${team_id} and l.starts_at >= ${from} and l.starts_at < ${to}
      and (l.corrects is null or l.ends_at <= ${to}) and ${ofApp}`.execute(db);
  let posted = sums[0]?.amount ?? 0;
  for (let after = 0; ;) {
    const { rows: parts } = await sql<{
      id: number;
      from: Date;
      to: Date;
      rate_micros: number;
      carry: number;
    }>`
      select l.id, l.starts_at as from, l.ends_at as to, l.rate_micros, l.carry from usage_lines l
      where l.team_id = ${team_id} and l.corrects is not null and l.starts_at < ${to} and l.ends_at > ${from}
        and (l.starts_at < ${from} or l.ends_at > ${to}) and l.id > ${after} and ${ofApp}
      order by l.id limit ${CORRECTION_BATCH_SIZE}`.execute(db);
    posted = parts.reduce((sum, line) => sum + amountWithin(line, { from, to }), posted);
    const last = parts.at(-1);
    if (!last || parts.length < CORRECTION_BATCH_SIZE) break;
    after = last.id;
  }
  if (app_id !== null) return posted;
  const { rows: ai } = await sql<{ amount: number }>`
    select coalesce(sum(l.amount_micros), 0)::bigint as amount from ai_usage_lines l
    where l.team_id = ${team_id} and l.starts_at >= ${from} and l.starts_at < ${to}`.execute(db);
  return posted + (ai[0]?.amount ?? 0);
}

const CORRECTION_BATCH_SIZE = 1_000;

/**
 * Serializes the team's deployments until this transaction ends, so that the quota is read and used together.
 * Rows that refer to the team can still be written.
 *
 * @returns whether any of its budgets is exhausted
 */
export async function lockTeamToDeploy(trx: Tx, team_id: number): Promise<boolean> {
  const { is_used_up } = await trx
    .selectFrom('teams as t')
    .select(
      sql<boolean>`exists (select 1 from budgets b where b.team_id = t.id and b.used_up_at is not null)`.as(
        'is_used_up',
      ),
    )
    .where('t.id', '=', team_id)
    .forNoKeyUpdate('t')
    .modifyEnd(prepared)
    .executeTakeFirstOrThrow();
  return is_used_up;
}

/**
 * Returns an exhausted budget of the team or app that refuses deployments; budgets whose period ended no longer
 * do.
 */
export async function refusingBudget(
  db: Db | Tx,
  team_id: number,
  { app_id, actions, now }: { app_id: number | null; actions: readonly BudgetAction[]; now: Date },
): Promise<(NamedBudget & { to: Date }) | null> {
  const rows = await named(db)
    .where('b.team_id', '=', team_id)
    .where('b.used_up_at', 'is not', null)
    .where('b.action', 'in', [...actions])
    .where((eb) => eb.or([eb('b.app_id', 'is', null), eb('b.app_id', '=', app_id)]))
    .orderBy('b.id')
    .limit(MAX_BUDGETS)
    .execute();
  for (const row of rows) {
    const { from, to } = periodOf(row.period, now);
    if (row.period_start.getTime() === from.getTime()) return { ...row, to };
  }
  return null;
}

/** A CVM started since then no longer belongs to the budget, regardless of its current state. */
const isStopped = sql<boolean>`c.deleted_at is null and c.status = 'stopped' and not exists (
  select 1 from operations o where o.cvm_id = s.cvm_id and o.type = 'start' and o.created_at > s.stopped_at)`;

/** Returns how many CVMs each budget stopped that have not been started since. */
export async function stoppedByBudgets(
  db: Db | Tx,
  budget_ids: readonly number[],
): Promise<Map<number, number>> {
  if (budget_ids.length === 0) return new Map();
  const { rows } = await sql<{ budget_id: number; count: number }>`
    select s.budget_id, count(*)::int as count from budget_stops s join cvms c on c.id = s.cvm_id
    where s.budget_id = any(${[...budget_ids]}::bigint[]) and ${isStopped} group by s.budget_id`.execute(db);
  return new Map(rows.map(({ budget_id, count }) => [budget_id, count]));
}

/** Locks CVMs that a budget stopped and that have not been started since. */
export const cvmsStoppedBy = (trx: Tx, budget_id: number, limit: number): Promise<CvmRow[]> =>
  trx
    .selectFrom('cvms as c')
    .innerJoin('budget_stops as s', 's.cvm_id', 'c.id')
    .selectAll('c')
    .where('s.budget_id', '=', budget_id)
    .where(isStopped)
    .orderBy('c.id')
    .limit(limit)
    .forUpdate('c')
    .skipLocked()
    .execute();

/** Records which budget keeps a CVM stopped. */
export const noteBudgetStop = (trx: Tx, cvm_id: number, budget_id: number) =>
  trx
    .insertInto('budget_stops')
    .values({ cvm_id, budget_id })
    .onConflict((conflict) => conflict.column('cvm_id').doUpdateSet({ budget_id, stopped_at: new Date() }))
    .execute();

export const forgetStop = (trx: Tx, cvm_id: number) =>
  trx.deleteFrom('budget_stops').where('cvm_id', '=', cvm_id).execute();

export async function countBudgets(trx: Tx, team_id: number): Promise<number> {
  const { count } = await trx
    .selectFrom('budgets')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', team_id)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns the ID of a team's app. @param hex with or without a prefix */
export async function findApp(trx: Tx, team_id: number, hex: string): Promise<number | undefined> {
  const app = await trx
    .selectFrom('apps')
    .select('id')
    .where('team_id', '=', team_id)
    .where('app_id', '=', hex.toLowerCase().replace(/^(app_|0x)/, ''))
    .executeTakeFirst();
  return app?.id;
}

/** @returns its public ID; null if there is one for the same app and period */
export async function insertBudget(
  trx: Tx,
  budget: Pick<BudgetRow, 'team_id' | 'app_id' | 'period' | 'amount_micros' | 'alerts' | 'action'>,
): Promise<string | null> {
  const made = await trx
    .insertInto('budgets')
    .values({ ...budget, public_id: publicId('bud') })
    .onConflict((conflict) => conflict.doNothing())
    .returning('public_id')
    .executeTakeFirst();
  return made?.public_id ?? null;
}

export const setBudget = (
  trx: Tx,
  id: number,
  change: Partial<Pick<BudgetRow, 'amount_micros' | 'alerts' | 'action'>>,
) =>
  trx
    .updateTable('budgets')
    .set({ ...change, updated_at: new Date() })
    .where('id', '=', id)
    .execute();

export const removeBudget = (trx: Tx, id: number) => trx.deleteFrom('budgets').where('id', '=', id).execute();
