import type { Logger } from 'pino';
import { appendAudit } from '../db/audit/auditLog';
import { openDebt } from '../db/billing/debts';
import { grantCredit } from '../db/billing/grants';
import type { Invoicing } from '../db/billing/issueInvoice';
import { creditReceipt, insertPayment } from '../db/billing/payments';
import { teamsBehind } from '../db/billing/usage';
import { withTransaction, type Db } from '../db/core/client';
import type { DebtDays } from '../domain/billing/debt';
import { closeMonths } from '../jobs/billing/closeMonth';
import { closeAiUsage } from '../jobs/billing/closeAiUsage';
import { closeUsage, HOUR_MS } from '../jobs/billing/closeUsage';
import type { FilledTeam } from './fillTeams';
import { demoHex, demoId } from './random';
import { HISTORY_HOURS } from './scenario';

/** The demo's money: every amount is booked, posted and invoiced with the production functions. */

interface Money {
  db: Db;
  log: Logger;
  /** The full hour until which usage is posted. */
  at: Date;
  teams: readonly FilledTeam[];
  invoicing: Invoicing;
  debtDays: DebtDays;
  say(line: string): void;
}

const DAY_HOURS = 24;
/** Deadline for posting the last full hour. */
const LATER_MS = 10 * 60_000;

export async function fillMoney(money: Money): Promise<void> {
  const { db, teams, say } = money;
  await postUsage(money);
  for (const { given, team } of teams) {
    const { credit } = given;
    if (credit)
      await withTransaction(db, (trx) =>
        grantCredit(trx, {
          team_id: team.id,
          source: 'support',
          reason: credit.reason,
          amount_micros: micros(credit.dollars),
          expires_at: null,
          created_by: null,
        }),
      );
  }
  say('issuing the invoices of last month');
  await invoice(money);
  await startDebts(money);
}

const micros = (dollars: number) => Math.round(dollars * 100) * 10_000;
const hoursBefore = (at: Date, hours: number) => new Date(at.getTime() - hours * HOUR_MS);

/** Day by day, including payments in between, so that balances fall and rise realistically. */
async function postUsage({ db, log, at, teams, say }: Money): Promise<void> {
  for (let age = HISTORY_HOURS + DAY_HOURS; age >= 0; age -= DAY_HOURS) {
    if (age % (7 * DAY_HOURS) === 0) say(`posting usage, ${age / DAY_HOURS} days left`);
    for (const team of teams)
      for (const [i, top_up] of team.given.top_ups.entries())
        if (top_up.age >= age && top_up.age < age + DAY_HOURS) await pay(db, at, team, { ...top_up, i });
    const end = hoursBefore(at, age);
    const now = new Date(end.getTime() + LATER_MS);
    await closeUsage({ db, log, now });
    await closeAiUsage({ db, log, now });
  }
  const behind = await teamsBehind(db, at, { after: 0, limit: 1 });
  if (behind.length > 0) throw new Error('the usage of the demo could not be posted; see the log');
}

async function pay(
  db: Db,
  at: Date,
  { team, owner }: FilledTeam,
  { age, dollars, i }: { age: number; dollars: number; i: number },
): Promise<void> {
  const received_at = hoursBefore(at, age);
  const amount_micros = micros(dollars);
  const name = `${team.slug}/${i}`;
  await withTransaction(db, async (trx) => {
    const { id } = await insertPayment(trx, {
      team_id: team.id,
      amount_micros,
      created_by: owner,
      driver: 'manual',
    });
    const payment = await trx
      .updateTable('payments')
      .set({
        public_id: demoId('pay', name),
        reference: `TH-${demoHex(`payment/${name}`, 8).toUpperCase()}`,
        created_at: hoursBefore(received_at, DAY_HOURS),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await creditReceipt(trx, payment, {
      amount_micros,
      bank_reference: `DEMO${demoHex(`receipt/${name}`, 12).toUpperCase()}`,
      received_at,
      confirmed_by: null,
    });
  });
}

/** Once for the drafts, once to issue them: both use the current time, whatever the demo's time. */
async function invoice({ db, log, invoicing }: Money): Promise<void> {
  const parts = { db, log, invoicing: { ...invoicing, review_days: 0 }, concurrent: 1 };
  await closeMonths({ ...parts, now: new Date() });
  await closeMonths({ ...parts, now: new Date(Date.now() + 1000) });
}

/** Opens the debt as the debt job would have when the balance fell below zero. */
async function startDebts({ db, at, teams, debtDays }: Money): Promise<void> {
  for (const { given, team } of teams) {
    const { owes_since } = given;
    if (owes_since === null) continue;
    await withTransaction(db, async (trx) => {
      const debt = await openDebt(trx, team.id, hoursBefore(at, owes_since), debtDays);
      if (!debt) throw new Error(`${given.name} has a debt already`);
      await appendAudit(trx, [
        {
          actor_kind: 'system',
          team_id: team.id,
          action: 'debt.start',
          target_kind: 'debt',
          target_id: debt.public_id,
          after: { stops_at: debt.stops_at.toISOString(), deletes_at: debt.deletes_at.toISOString() },
        },
      ]);
    });
  }
}
