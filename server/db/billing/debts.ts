import { sql, type ColumnType, type Generated, type GeneratedAlways, type Selectable } from 'kysely';
import { continuedDates, debtDates, type DebtDays, type DebtNotice } from '../../domain/billing/debt';
import { publicId } from '../../domain/core/publicId';
import type { Db, Tx } from '../core/client';
import { waitsForPayerSql } from './paymentsTables';

/** One row per debt, open while `settled_at` is null. Written by the debt job (migration 0040_debts). */
export interface DebtsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  team_id: number;
  started_at: ColumnType<Date, Date, never>;
  stops_at: Date;
  deletes_at: Date;
  stopped_at: Generated<Date | null>;
  deleted_at: Generated<Date | null>;
  settled_at: Generated<Date | null>;
  told: Generated<DebtNotice>;
  /** The payment that postpones, or postponed, the deletion. */
  postponing_payment: Generated<number | null>;
}

export type DebtRow = Selectable<DebtsTable>;

/** CVMs stopped by a debt, until they start again. */
export interface DebtStopsTable {
  cvm_id: number;
  debt_id: number;
}

/** Posted money plus the credit limit, in micro-dollars. Below zero is debt. */
const FUNDS = sql<number>`(t.post_paid_cap_micros + coalesce((select sum(b.amount_micros) from ledger_balances b
  where b.team_id = t.id and b.account in ('prepaid', 'credits')), 0))::bigint`;

/** Returns teams without an open debt whose posted balance has fallen below their credit limit. */
export const newDebtors = (db: Db, limit: number) =>
  db
    .selectFrom('teams as t')
    .innerJoin('ledger_balances as p', (join) =>
      join.onRef('p.team_id', '=', 't.id').on('p.account', '=', 'prepaid').on('p.amount_micros', '<', 0),
    )
    .select('t.id')
    .where(FUNDS, '<', 0)
    .where('t.deleted_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('debts as d')
            .select('d.id')
            .whereRef('d.team_id', '=', 't.id')
            .where('d.settled_at', 'is', null),
        ),
      ),
    )
    .orderBy('t.id')
    .limit(limit)
    .execute();

/**
 * Starts a team's debt, or continues the previous one if the money that settled it was taken back. @returns
 * undefined if it has one
 */
export async function openDebt(
  trx: Tx,
  team_id: number,
  now: Date,
  days: DebtDays,
): Promise<DebtRow | undefined> {
  const before = await unsettledAgain(trx, team_id);
  const dates = before ? continuedDates(before, now, days) : debtDates(now, days);
  return trx
    .insertInto('debts')
    .values({ public_id: publicId('dbt'), team_id, started_at: now, ...dates })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/**
 * Returns the dates of a team's last debt if money received while it was open was taken back after it was
 * settled (a reversed transfer, a disputed card payment), and the team would otherwise owe nothing now.
 */
async function unsettledAgain(
  trx: Tx,
  team_id: number,
): Promise<Pick<DebtRow, 'stops_at' | 'deletes_at'> | undefined> {
  const { rows } = await sql<Pick<DebtRow, 'stops_at' | 'deletes_at'> & { returned: number }>`
    with d as (select * from debts where team_id = ${team_id} and settled_at is not null order by id desc limit 1),
    received as (select p.driver, p.returned_micros, r.amount_micros, r.reversed_at
      from d join payments p on p.team_id = d.team_id join payment_receipts r on r.payment_id = p.id
      where r.created_at between d.started_at and d.settled_at)
    select d.stops_at, d.deletes_at,
      ((select coalesce(sum(r.amount_micros), 0) from received r where r.reversed_at > d.settled_at)
        + (select coalesce(-sum(e.amount_micros), 0) from ledger_transactions l join ledger_entries e on e.transaction_id = l.id
          where l.team_id = d.team_id and l.kind in ('dispute', 'dispute_reversal') and l.booked_at > d.settled_at
            and e.account = 'prepaid' and exists (select from received r where r.driver = 'stripe' and r.returned_micros > 0)
        ))::bigint as returned
    from d`.execute(trx);
  const [before] = rows;
  if (!before || before.returned <= 0) return undefined;
  const { stops_at, deletes_at, returned } = before;
  return (await postedFunds(trx, team_id)) + returned >= 0 ? { stops_at, deletes_at } : undefined;
}

/** Returns open debts ordered by ID, with the amount by which the posted balance is below the credit limit. */
export const openDebts = (db: Db | Tx, { after, limit }: { after: number; limit: number }) =>
  db
    .selectFrom('debts as d')
    .innerJoin('teams as t', 't.id', 'd.team_id')
    .selectAll('d')
    .select(FUNDS.as('funds'))
    .where('d.settled_at', 'is', null)
    .where('d.id', '>', after)
    .orderBy('d.id')
    .limit(limit)
    .execute();

/** Returns how far a team's posted balance is above its credit limit, in micro-dollars. */
export async function postedFunds(db: Db | Tx, team_id: number): Promise<number> {
  const row = await db
    .selectFrom('teams as t')
    .select(FUNDS.as('funds'))
    .where('t.id', '=', team_id)
    .executeTakeFirstOrThrow();
  return row.funds;
}

/**
 * Returns the debt that currently stops a team's CVMs, with the amount due in micro-dollars; none if they may
 * run.
 */
export async function overdueDebt(
  db: Db | Tx,
  team_id: number,
  now: Date,
): Promise<{ id: number; public_id: string; due: number } | undefined> {
  const row = await db
    .selectFrom('debts as d')
    .innerJoin('teams as t', 't.id', 'd.team_id')
    .select(['d.id', 'd.public_id', FUNDS.as('funds')])
    .where('d.team_id', '=', team_id)
    .where('d.settled_at', 'is', null)
    .where('d.stops_at', '<=', now)
    .executeTakeFirst();
  return row && row.funds < 0 ? { id: row.id, public_id: row.public_id, due: -row.funds } : undefined;
}

/** Records which debt keeps a CVM stopped. The CVM starts once that debt is settled. */
export const noteDebtStop = (trx: Tx, cvm_id: number, debt_id: number) =>
  trx
    .insertInto('debt_stops')
    .values({ cvm_id, debt_id })
    .onConflict((conflict) => conflict.column('cvm_id').doUpdateSet({ debt_id }))
    .execute();

export const setDebt = (
  db: Db | Tx,
  id: number,
  change: Partial<Pick<DebtRow, 'stopped_at' | 'deleted_at' | 'told' | 'postponing_payment'>>,
) => db.updateTable('debts').set(change).where('id', '=', id).execute();

/** @returns false if another process has settled it */
export async function settleDebt(trx: Tx, id: number, settled_at: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('debts')
    .set({ settled_at })
    .where('id', '=', id)
    .where('settled_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns the teams' open debts. */
export async function debtsOfTeams(db: Db, team_ids: readonly number[]): Promise<Map<number, DebtRow>> {
  if (team_ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('debts')
    .selectAll()
    .where('team_id', 'in', [...team_ids])
    .where('settled_at', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.team_id, row]));
}

/** Returns when a team last settled a debt. */
export async function lastSettled(db: Db, team_id: number): Promise<Date | null> {
  const row = await db
    .selectFrom('debts')
    .select('settled_at')
    .where('team_id', '=', team_id)
    .where('settled_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.settled_at ?? null;
}

/**
 * Returns the pending payment that postpones a debt's deletion: the first that covered the amount due, while it
 * is recent enough and still pending. A debt has only one; otherwise a new one every month would postpone it
 * forever.
 *
 * @param due micro-dollars
 */
export async function postponingPayment(
  db: Db | Tx,
  { team_id, postponing_payment }: Pick<DebtRow, 'team_id' | 'postponing_payment'>,
  { due, now, days }: { due: number; now: Date; days: number },
): Promise<number | null> {
  const row = await db
    .selectFrom('payments')
    .select('id')
    .where('team_id', '=', team_id)
    .where('state', 'in', ['pending', 'part_paid'])
    .where(({ not }) => not(waitsForPayerSql('payments')))
    .where('created_at', '>', new Date(now.getTime() - days * 86_400_000))
    .$if(postponing_payment !== null, (query) => query.where('id', '=', postponing_payment!))
    .$if(postponing_payment === null, (query) =>
      query.where(sql<boolean>`amount_micros - received_micros >= ${due}`),
    )
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Counts a team's CVMs that run or are about to, and those with anything left. */
export async function countCvms(db: Db | Tx, team_id: number): Promise<{ active: number; kept: number }> {
  const { rows } = await sql<{ active: number; kept: number }>`
    select count(*) filter (where status not in ('stopped', 'error'))::int as active, count(*)::int as kept
    from cvms where team_id = ${team_id} and deleted_at is null and status <> 'deleted'`.execute(db);
  return rows[0] ?? { active: 0, kept: 0 };
}
