import { describe, expect, it } from 'vitest';
import { alertText, alertTitle, checkBudget, overText, periodOf } from './budget';

describe('the period of a budget', () => {
  it.each([
    ['day', '2026-11-25T23:59:59Z', '2026-11-25', '2026-11-26'],
    ['week', '2026-11-25T12:00:00Z', '2026-11-23', '2026-11-30'],
    ['week', '2026-11-29T23:59:59Z', '2026-11-23', '2026-11-30'],
    ['week', '2026-11-30T00:00:00Z', '2026-11-30', '2026-12-07'],
    ['month', '2026-12-31T23:59:59Z', '2026-12-01', '2027-01-01'],
  ] as const)('of a %s at %s', (period, now, from, to) => {
    const found = periodOf(period, new Date(now));
    expect([found.from, found.to]).toEqual([new Date(from), new Date(to)]);
  });
});

const metered = (used: number) => ({ used, orders: 0 });

describe('a check', () => {
  const from = new Date('2026-11-01');
  const now = new Date('2026-11-20');
  const budget = {
    action: 'stop' as const,
    amount_micros: 10_000_000,
    alerts: [50, 80, 100],
    period_start: from,
    alerted: 0,
    used_up_at: null,
  };

  it('alerts once per percentage, for the highest one passed', () => {
    expect(checkBudget(budget, metered(4_999_999), from, now)).toMatchObject({ alerted: 0, alert: null });
    expect(checkBudget(budget, metered(5_000_000), from, now)).toMatchObject({
      alerted: 50,
      alert: 50,
      change: null,
    });
    expect(checkBudget({ ...budget, alerted: 50 }, metered(7_000_000), from, now)).toMatchObject({
      alert: null,
    });
    expect(checkBudget({ ...budget, alerted: 50 }, metered(10_000_000), from, now)).toMatchObject({
      alert: 100,
      change: 'used_up',
      used_up_at: now,
    });
  });

  it('keeps the time at which it was used up', () => {
    const earlier = new Date('2026-11-10');
    expect(
      checkBudget({ ...budget, alerted: 100, used_up_at: earlier }, metered(12_000_000), from, now),
    ).toMatchObject({ used_up_at: earlier, change: null, alert: null });
  });

  it('alerts on orders, but only metered use triggers its action', () => {
    const spent = { used: 14_000_000, orders: 5_000_000 };
    expect(checkBudget(budget, spent, from, now)).toMatchObject({
      alert: 100,
      change: null,
      used_up_at: null,
    });
    expect(checkBudget({ ...budget, action: 'refuse' }, spent, from, now).used_up_at).toBeNull();
    expect(checkBudget({ ...budget, action: 'notify' }, spent, from, now)).toMatchObject({
      change: 'used_up',
      used_up_at: now,
    });
    expect(checkBudget(budget, { ...spent, used: 15_000_000 }, from, now).used_up_at).toEqual(now);
    // With orders counted as before: it ends, and payers are notified.
    const before = { ...budget, alerted: 100, used_up_at: new Date('2026-11-10') };
    expect(checkBudget(before, spent, from, now)).toMatchObject({ used_up_at: null, change: 'over' });
  });

  it('ends when it is raised, and alerts again from there', () => {
    const raised = { ...budget, amount_micros: 20_000_000, alerted: 100, used_up_at: now };
    const after = checkBudget(raised, metered(10_000_000), from, now);
    expect(after).toMatchObject({ alerted: 50, alert: null, change: 'over', used_up_at: null });
    expect(checkBudget({ ...raised, ...after }, metered(16_000_000), from, now)).toMatchObject({ alert: 80 });
  });

  it('starts again with the next period, even one that starts used up', () => {
    const next = new Date('2026-12-01');
    const used_up = { ...budget, alerted: 100, used_up_at: now };
    expect(checkBudget(used_up, metered(1), next, next)).toMatchObject({ alerted: 0, change: 'over' });
    expect(checkBudget(used_up, metered(10_000_000), next, next)).toMatchObject({
      alert: 100,
      change: 'used_up',
      used_up_at: next,
    });
  });
});

it('states its usage and consequences', () => {
  const monthly = { app_name: null, period: 'month', amount_micros: 10_000_000, action: 'stop' } as const;
  expect(alertText(monthly, metered(7_290_000))).toBe(
    '$7.29 of $10.00 is used: 72% of the monthly team budget.',
  );
  expect(alertTitle(monthly, 50)).toBe('The monthly team budget reached 50%');
  expect(alertText({ ...monthly, app_name: 'api', period: 'day' }, metered(10_000_000))).toMatch(
    /100% of the daily budget of api\. Running CVMs are stopped and their disks kept\. None can be started until it is raised or its next period starts\.$/,
  );
  expect(alertText(monthly, metered(10_000_000))).toMatch(/ Paid AI requests are refused\.$/);
  const withOrders = alertText(monthly, { used: 12_000_000, orders: 5_000_000 });
  expect(withOrders).toMatch(
    /^\$12\.00 of \$10\.00 is used: .* so they never stop CVMs\. Only CVM and AI usage does\.$/,
  );
  expect(overText(monthly, { used: 12_000_000, orders: 5_000_000 })).toContain('no longer used up');
});
