import { describe, expect, it } from 'vitest';
import { alertText, checkBudget, periodOf } from './budget';

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

describe('a check', () => {
  const from = new Date('2026-11-01');
  const now = new Date('2026-11-20');
  const budget = {
    amount_micros: 10_000_000,
    alerts: [50, 80, 100],
    period_start: from,
    alerted: 0,
    used_up_at: null,
  };

  it('alerts once per percentage, and of the highest that was passed', () => {
    expect(checkBudget(budget, 4_999_999, from, now)).toMatchObject({ alerted: 0, alert: null });
    expect(checkBudget(budget, 5_000_000, from, now)).toMatchObject({ alerted: 50, alert: 50, change: null });
    expect(checkBudget({ ...budget, alerted: 50 }, 7_000_000, from, now)).toMatchObject({ alert: null });
    expect(checkBudget({ ...budget, alerted: 50 }, 10_000_000, from, now)).toMatchObject({
      alert: 100,
      change: 'used_up',
      used_up_at: now,
    });
  });

  it('keeps the time at which it was used up', () => {
    const earlier = new Date('2026-11-10');
    expect(
      checkBudget({ ...budget, alerted: 100, used_up_at: earlier }, 12_000_000, from, now),
    ).toMatchObject({ used_up_at: earlier, change: null, alert: null });
  });

  it('ends when it is raised, and alerts again from there', () => {
    const raised = { ...budget, amount_micros: 20_000_000, alerted: 100, used_up_at: now };
    const after = checkBudget(raised, 10_000_000, from, now);
    expect(after).toMatchObject({ alerted: 50, alert: null, change: 'over', used_up_at: null });
    expect(checkBudget({ ...raised, ...after }, 16_000_000, from, now)).toMatchObject({ alert: 80 });
  });

  it('starts again with the next period, also one that begins used up', () => {
    const next = new Date('2026-12-01');
    const used_up = { ...budget, alerted: 100, used_up_at: now };
    expect(checkBudget(used_up, 1, next, next)).toMatchObject({ alerted: 0, change: 'over' });
    expect(checkBudget(used_up, 10_000_000, next, next)).toMatchObject({
      alert: 100,
      change: 'used_up',
      used_up_at: next,
    });
  });
});

it('says what is used and what follows', () => {
  const monthly = { app_name: null, period: 'month', amount_micros: 10_000_000, action: 'stop' } as const;
  expect(alertText(monthly, 80, 8_100_000)).toBe(
    '$8.10 of $10.00 are used: 80 % of the monthly budget of the team.',
  );
  expect(alertText({ ...monthly, app_name: 'api', period: 'day' }, 100, 10_000_000)).toMatch(
    /100 % of the daily budget of api\. Running CVMs are stopped and their disks kept\. None can be started until it is raised or its next period starts\.$/,
  );
  expect(alertText(monthly, 100, 10_000_000)).toMatch(/ AI requests that cost something are refused\.$/);
});
