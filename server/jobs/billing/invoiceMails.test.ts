import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { lockInvoice } from '../../db/billing/invoices';
import { voidInvoice, writeOffInvoice, type Invoicing } from '../../db/billing/issueInvoice';
import { withTransaction } from '../../db/core/client';
import {
  cvm,
  db,
  mail,
  mailsOf,
  pass,
  person,
  prepareNotifications,
  rows,
  setTime,
  team,
} from '../core/testing/notifying';
import { closeMonths } from './closeMonth';
import { closeUsage } from './closeUsage';
import { startBooks, type Books } from './testing/books';

/* Mails to payers about invoices, including overdue ones. */

prepareNotifications();

let books: Books;
beforeAll(async () => {
  books = await startBooks({ db });
});

const log = pino({ level: 'fatal' });
const invoicing: Invoicing = {
  review_days: 0,
  due_days: 14,
  tax_rule: 'fixed',
  tax_rate: 1900,
  seller: 'Teehouse Ltd',
  seller_vat_id: null,
};
const ISSUED = new Date('2030-12-05T12:00:00Z');
const OVERDUE = new Date('2030-12-19T12:00:00Z');

const close = (now: Date) => {
  setTime(now);
  return closeMonths({ db, log, now, invoicing });
};
/** Usage of $2 in November 2030, $2.38 with tax. */
async function charge(): Promise<void> {
  // The team's other CVM runs from today, which would add years of usage.
  await db.updateTable('usage_meters').set({ ended: true }).where('cvm_id', '=', cvm.id).execute();
  await books.cvm(team.id, [
    ['running', '2030-11-10T00:00:00Z', { hourly_rate_micros: 1_000_000 }],
    ['deleted', '2030-11-10T02:00:00Z', { hourly_rate_micros: 1_000_000 }],
  ]);
  await closeUsage({ db, log, now: ISSUED });
}
const invoice = () =>
  db.selectFrom('invoices').selectAll().where('team_id', '=', team.id).executeTakeFirstOrThrow();
const audited = async () =>
  (
    await db
      .selectFrom('audit_log')
      .select(['action', 'actor_kind'])
      .where('team_id', '=', team.id)
      .where('action', 'like', 'invoice.%')
      .orderBy('id')
      .execute()
  ).map(({ action, actor_kind }) => `${actor_kind} ${action}`);
/** Returns the subjects of all emails so far. The first email of a kind waits five minutes. */
async function subjects(who: { id: number; email: string }): Promise<string[]> {
  pass(6);
  await mail();
  return (await mailsOf(who)).map(({ subject }) => subject);
}

describe('an invoice', () => {
  it('not covered by the balance is mailed when issued, when overdue and when paid', async () => {
    const payer = await person('billing');
    const viewer = await person('viewer');
    await charge();
    await close(ISSUED);
    expect(await invoice()).toMatchObject({ state: 'open', due_at: OVERDUE });
    expect(await subjects(payer)).toEqual(['Invoice INV-2030-00001 is issued']);
    const text = (await mailsOf(payer))[0]?.text;
    expect(text?.replaceAll(/\s+/g, ' ')).toContain('38 is due on December 19, 2030');
    expect(text).toContain('tab=invoices');

    await close(new Date(OVERDUE.getTime() - 1));
    expect((await invoice()).state).toBe('open');
    await Promise.all([close(OVERDUE), close(OVERDUE)]);
    expect((await invoice()).state).toBe('overdue');
    expect(await subjects(payer)).toEqual([
      'Invoice INV-2030-00001 is issued',
      'Invoice INV-2030-00001 is overdue',
    ]);

    await books.topUp(team.id, 2_379_999);
    await close(new Date('2030-12-20T12:00:00Z'));
    expect((await invoice()).state).toBe('overdue');
    await books.topUp(team.id, 1);
    await close(new Date('2030-12-21T12:00:00Z'));
    expect(await invoice()).toMatchObject({ state: 'paid', paid_at: new Date('2030-12-21T12:00:00Z') });
    expect((await subjects(payer)).at(-1)).toBe('Resolved: Invoice INV-2030-00001 is paid');
    expect(await audited()).toEqual([
      'system invoice.draft',
      'system invoice.issue',
      'system invoice.overdue',
      'system invoice.paid',
    ]);
    expect(await rows(viewer)).toEqual([]);
    expect(await mailsOf(viewer)).toEqual([]);
  });

  it('covered by the balance or credits is paid when issued, in one email', async () => {
    const payer = await person('owner');
    await charge();
    await books.topUp(team.id, 1_000_000);
    await books.grant(team.id, 1_380_000, null);
    await close(ISSUED);
    expect((await invoice()).state).toBe('paid');
    expect(await subjects(payer)).toEqual([expect.stringMatching(/^Invoice INV-2030-\d{5} is paid$/)]);
    await close(OVERDUE);
    expect(await subjects(payer)).toHaveLength(1);
    expect(await audited()).toEqual(['system invoice.draft', 'system invoice.issue', 'system invoice.paid']);
  });

  it('that was mailed and is voided is resolved; one written off needs nothing', async () => {
    const payer = await person('admin');
    await charge();
    await close(ISSUED);
    const { id } = await invoice();
    await subjects(payer);
    const act = (how: typeof voidInvoice) =>
      withTransaction(db, async (trx) => {
        const row = await lockInvoice(trx, id);
        if (!row) throw new Error('no invoice');
        return how(trx, row, new Date('2030-12-06T12:00:00Z'));
      });
    setTime(new Date('2030-12-06T12:00:00Z'));
    await act(voidInvoice);
    expect((await subjects(payer)).at(-1)).toMatch(/^Resolved: Invoice INV-2030-\d{5} is void$/);
    await expect(act(writeOffInvoice)).rejects.toThrow(/cannot become uncollectible/);
  });

  it('that is overdue and written off is resolved without mail, and is no longer watched', async () => {
    const payer = await person('admin');
    await charge();
    await close(ISSUED);
    await close(OVERDUE);
    const before = await subjects(payer);
    const { id } = await invoice();
    await withTransaction(db, async (trx) => {
      const row = await lockInvoice(trx, id);
      if (row) await writeOffInvoice(trx, row, OVERDUE);
    });
    await books.topUp(team.id, 5_000_000);
    await close(new Date('2030-12-25T12:00:00Z'));
    expect((await invoice()).state).toBe('uncollectible');
    expect(await subjects(payer)).toEqual(before);
    expect((await rows(payer)).filter(({ resolved_at }) => resolved_at === null)).toEqual([]);
  });
});
