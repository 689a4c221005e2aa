import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepCard } from '../../db/billing/autoTopUps';
import { watchedBalances } from '../../db/billing/notices/lowBalances';
import { notifyPayers } from '../../db/billing/paymentNotices';
import { withTransaction } from '../../db/core/client';
import { adjustedNotice } from '../../domain/billing/paymentNotice';
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
  type Person,
} from '../core/testing/notifying';
import { startBooks, type Books } from './testing/books';
import { warnOfExpiringCards, watchBalances } from './warnPayers';

/* Warnings to payers before a balance runs out or a saved card expires. */

prepareNotifications();

const DOLLAR = 1_000_000;
const START = Date.parse('2030-12-01T12:00:00Z');
const log = pino({ level: 'fatal' });
const hour = (hours: number) => new Date(START + hours * 3_600_000);

let books: Books;
beforeAll(async () => {
  books = await startBooks({ db });
});
beforeEach(async () => {
  // The team's own CVM runs from today, which would add years of usage.
  await db.updateTable('usage_meters').set({ ended: true }).where('cvm_id', '=', cvm.id).execute();
});

/** Starts a CVM of $1 per hour. @returns its ID */
const spend = (team_id = team.id, from = 0) =>
  books.cvm(team_id, [['running', hour(from).toISOString(), { hourly_rate_micros: DOLLAR }]]);
const change = (id: number, status: string, at: number) =>
  books.change(id, [status, hour(at).toISOString(), { hourly_rate_micros: DOLLAR }]);

/** Runs the job this many hours after the start, in several processes. */
async function run(hours: number, takesCards = true): Promise<void> {
  const parts = { db, log, now: hour(hours), takesCards };
  setTime(parts.now);
  await Promise.all([watchBalances(parts), watchBalances(parts)]);
}
/** Returns the subjects of all emails so far. The first email of a kind waits five minutes. */
async function subjects(who: Person): Promise<string[]> {
  pass(6);
  await mail();
  return (await mailsOf(who)).map(({ subject }) => subject);
}
const titles = async (who: Person) =>
  (await rows(who)).map(({ title, resolved_at }) => `${title}${resolved_at === null ? '' : ' (resolved)'}`);
const audited = async (team_id = team.id) =>
  (
    await db
      .selectFrom('audit_log')
      .select(['action', 'actor_kind'])
      .where('team_id', '=', team_id)
      .where((eb) => eb.or([eb('action', '=', 'balance.low'), eb('action', '=', 'card.expires_soon')]))
      .orderBy('id')
      .execute()
  ).map(({ action, actor_kind }) => `${actor_kind} ${action}`);

async function saveCard(enabled: boolean): Promise<void> {
  const card = { card_id: `pm_${team.id}`, brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030 };
  await db
    .insertInto('team_cards')
    .values({ team_id: team.id, ...card, fingerprint: null })
    .execute();
  await db
    .insertInto('auto_top_ups')
    .values({
      team_id: team.id,
      enabled,
      amount_micros: 20 * DOLLAR,
      threshold_micros: 10 * DOLLAR,
      consent: 'Agreed',
      consented_by: null,
      consented_at: hour(0),
    })
    .execute();
}
const setAuto = (set: { enabled?: boolean; declines?: number }) =>
  db.updateTable('auto_top_ups').set(set).where('team_id', '=', team.id).execute();

const DAYS_3 = 'The balance runs out within three days';
const DAY = 'The balance runs out within a day';

describe('a balance that runs out soon', () => {
  it('names the mail that it shares with other notices', async () => {
    const payer = await person('billing');
    await spend();
    await books.topUp(team.id, 100 * DOLLAR);
    await run(29);
    await withTransaction(db, (trx) =>
      notifyPayers(trx, team.id, 'adjustment:1', adjustedNotice(-DOLLAR, 'Counted twice'), hour(29)),
    );
    expect(await subjects(payer)).toEqual([`${DAYS_3}, and 1 other notice`]);
  });

  it('is mailed once below three days and once below a day, and again after a top-up', async () => {
    const payer = await person('billing');
    const viewer = await person('viewer');
    await spend();
    await books.topUp(team.id, 100 * DOLLAR);
    await run(28);
    expect(await subjects(payer)).toEqual([]);
    await run(29);
    expect(await subjects(payer)).toEqual([DAYS_3]);
    const text = (await mailsOf(payer))[0]?.text.replaceAll('\u2060', '').replaceAll(/\s+/g, ' ');
    // 100 hours after the start.
    expect(text).toContain('$71.00 is left, which lasts until December 5, 2030, 16:00 UTC');
    expect(text).toContain('/setup-billing?team=');
    for (const hours of [30, 50, 76]) await run(hours);
    expect(await subjects(payer)).toEqual([DAYS_3]);
    for (const hours of [76.5, 77, 80]) await run(hours);
    expect(await subjects(payer)).toEqual([DAYS_3, DAY]);
    expect(await titles(payer)).toEqual([DAY]);

    await books.topUp(team.id, 100 * DOLLAR);
    await run(81);
    expect(await titles(payer)).toEqual([`${DAY} (resolved)`]);
    expect(await subjects(payer)).toEqual([DAYS_3, DAY]);
    await run(129);
    expect(await subjects(payer)).toEqual([DAYS_3, DAY, DAYS_3]);
    // Once the balance is used up, the debt has its own notices.
    await run(250);
    expect(await subjects(payer)).toHaveLength(3);
    expect(await audited()).toEqual(['system balance.low', 'system balance.low', 'system balance.low']);
    expect(await rows(viewer)).toEqual([]);
    expect(await mailsOf(viewer)).toEqual([]);
  });

  it('is not reported again because a CVM was stopped for a night', async () => {
    const payer = await person('owner');
    const id = await spend();
    await books.topUp(team.id, 100 * DOLLAR);
    await run(29);
    await change(id, 'stopped', 30);
    await run(31);
    await change(id, 'running', 40);
    await run(41);
    expect(await subjects(payer)).toEqual([DAYS_3]);
    await change(id, 'stopped', 42);
    await run(43);
    await run(68);
    await change(id, 'running', 70);
    await run(71);
    expect(await subjects(payer)).toEqual([DAYS_3, DAYS_3]);
  });

  it('warns about that team only, counts its credit limit, and skips teams without usage', async () => {
    const payer = await person('billing');
    const [rich, later, idle] = [await books.team(), await books.team(), await books.team()];
    for (const team_id of [rich, later, idle])
      await db.insertInto('memberships').values({ team_id, user_id: payer.id, role: 'billing' }).execute();
    await db
      .updateTable('teams')
      .set({ post_paid_cap_micros: 50 * DOLLAR })
      .where('id', '=', later)
      .execute();
    for (const team_id of [team.id, rich, later]) await spend(team_id);
    for (const team_id of [team.id, later, idle]) await books.topUp(team_id, 50 * DOLLAR);
    await books.topUp(rich, 500 * DOLLAR);
    await run(1);
    expect((await rows(payer)).map(({ team_id, title }) => [team_id, title])).toEqual([[team.id, DAYS_3]]);
    expect(await audited(rich)).toEqual([]);
    await run(29);
    const [warned] = (await rows(payer)).filter(({ team_id }) => team_id === later);
    expect(warned).toMatchObject({
      title: DAYS_3,
      message: expect.stringContaining(
        '$71.00 is left, including the $50.00 that the team may owe, which lasts until December 5, 2030, 16:00 UTC',
      ) as string,
    });
  });

  it('warns while automatic payments fail, not while they work', async () => {
    const payer = await person('billing');
    await spend();
    await books.topUp(team.id, 50 * DOLLAR);
    await saveCard(true);
    await run(1);
    expect(await titles(payer)).toEqual([]);
    await setAuto({ declines: 1 });
    await run(2);
    expect(await titles(payer)).toEqual([DAYS_3]);
    await setAuto({ declines: 0 });
    await run(3);
    expect(await titles(payer)).toEqual([`${DAYS_3} (resolved)`]);
    // A server that no longer takes cards charges none.
    await run(5, false);
    expect(await titles(payer)).toEqual([`${DAYS_3} (resolved)`, DAYS_3]);
  });
});

it('warns even if a card is charged, when an hour costs more than one charge', async () => {
  const payer = await person('billing');
  for (let i = 0; i < 21; i++) await spend();
  await books.topUp(team.id, 50 * DOLLAR);
  // $20 an hour.
  await saveCard(true);
  await run(1);
  expect(await titles(payer)).toEqual([DAY]);
  await db
    .updateTable('auto_top_ups')
    .set({ amount_micros: 21 * DOLLAR })
    .where('team_id', '=', team.id)
    .execute();
  await run(1.1);
  expect(await titles(payer)).toEqual([`${DAY} (resolved)`]);
});

it('reads usage only for teams whose money may run out', async () => {
  const watched = async () =>
    (await watchedBalances(db, hour(1), { hours: 72, after: 0, limit: 1000 })).map(({ team_id }) => team_id);
  const rich = await books.team();
  const id = await spend(rich);
  await books.topUp(rich, 74 * DOLLAR);
  expect(await watched()).not.toContain(rich);
  // Ten minutes at $60 an hour, which the current rate doesn't show.
  for (const [minutes, rate] of [
    [10, 60],
    [20, 1],
  ] as const)
    await books.change(id, [
      'running',
      hour(minutes / 60).toISOString(),
      { hourly_rate_micros: rate * DOLLAR },
    ]);
  expect(await watched()).toContain(rich);
  await books.topUp(rich, 60 * 74 * DOLLAR);
  expect(await watched()).not.toContain(rich);
});

describe('a saved card that expires', () => {
  const EXPIRES = 'The saved card expires soon';
  const runAt = async (moment: string) => {
    const now = new Date(moment);
    setTime(now);
    await Promise.all([warnOfExpiringCards({ db, now }), warnOfExpiringCards({ db, now })]);
  };
  const keep = (card: { card_id: string; exp_month: number; exp_year: number }) =>
    withTransaction(db, (trx) =>
      keepCard(trx, { team_id: team.id, brand: 'visa', last4: '4242', fingerprint: null, ...card }, null),
    );

  it('is mailed once, two weeks before the end of its month, and resolved by another card', async () => {
    const payer = await person('billing');
    await saveCard(true);
    await runAt('2030-12-17T23:59:59Z');
    expect(await subjects(payer)).toEqual([]);
    await runAt('2030-12-18T00:00:00Z');
    expect(await subjects(payer)).toEqual([EXPIRES]);
    const text = (await mailsOf(payer))[0]?.text.replaceAll('\u2060', '').replaceAll(/\s+/g, ' ');
    expect(text).toContain('Visa ending in 4242 expires at the end of December 2030.');
    expect(text).toContain('/setup-billing?team=');
    await runAt('2030-12-30T12:00:00Z');
    expect(await subjects(payer)).toEqual([EXPIRES]);
    // The same card, saved again.
    await keep({ card_id: `pm_${team.id}`, exp_month: 12, exp_year: 2030 });
    expect(await titles(payer)).toEqual([EXPIRES]);
    await keep({ card_id: `pm_${team.id}_renewed`, exp_month: 12, exp_year: 2034 });
    expect(await titles(payer)).toEqual([`${EXPIRES} (resolved)`]);
    await runAt('2030-12-31T12:00:00Z');
    expect(await subjects(payer)).toEqual([EXPIRES]);
    await runAt('2034-12-20T12:00:00Z');
    expect(await subjects(payer)).toEqual([EXPIRES, EXPIRES]);
    expect(await audited()).toEqual(['system card.expires_soon', 'system card.expires_soon']);
  });

  it('is not reported if nothing is paid with it, or once it has expired', async () => {
    const payer = await person('billing');
    await saveCard(false);
    await runAt('2030-12-20T12:00:00Z');
    await setAuto({ enabled: true });
    await runAt('2031-01-01T00:00:00Z');
    expect(await titles(payer)).toEqual([]);
    await setAuto({ enabled: false });
    await db.updateTable('teams').set({ post_paid_cap_micros: DOLLAR }).where('id', '=', team.id).execute();
    await runAt('2030-12-20T12:00:00Z');
    expect(await titles(payer)).toEqual([EXPIRES]);
  });
});
