import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addPeriods, noticeAt, refundOf, renewAt, rulesOf, type Term } from './order';

const at = (text: string) => new Date(`${text}Z`);
const agreed = { period: 'month', min_periods: 1, refund_percent: 50 } as const;
const term: Term = {
  starts_at: at('2026-11-21T09:00:00'),
  ends_at: at('2027-02-21T09:00:00'),
  amount_micros: 92_000_000,
  refunded_micros: 0,
};

describe('a term', () => {
  it.each<[string, 'day' | 'month', number, string]>([
    ['2026-11-21T09:10:11', 'day', 3, '2026-11-24T09:10:11'],
    ['2026-11-30T23:59:59', 'month', 1, '2026-12-30T23:59:59'],
    ['2026-01-31T00:00:00', 'month', 1, '2026-02-28T00:00:00'],
    ['2028-01-31T00:00:00', 'month', 1, '2028-02-29T00:00:00'],
    ['2026-10-31T12:00:00', 'month', 4, '2027-02-28T12:00:00'],
    ['2026-12-15T12:00:00', 'month', 36, '2029-12-15T12:00:00'],
  ])('from %s lasts calendar %ss: %i → %s', (start, period, count, end) =>
    expect(addPeriods(at(start), period, count)).toEqual(at(end)),
  );

  it('is announced a week, and renewed a day, before it ends; a short one later', () => {
    expect(noticeAt(term)).toEqual(at('2027-02-14T09:00:00'));
    expect(renewAt(term)).toEqual(at('2027-02-20T09:00:00'));
    const day = { starts_at: at('2026-11-21T00:00:00'), ends_at: at('2026-11-22T00:00:00') };
    expect(noticeAt(day)).toEqual(at('2026-11-21T12:00:00'));
    expect(renewAt(day)).toEqual(at('2026-11-21T18:00:00'));
  });
});

describe('canceling', () => {
  it('before the start refunds everything', () =>
    expect(refundOf(term, { ...agreed, refund_percent: 0 }, at('2026-11-21T08:59:59'))).toBe(92_000_000));

  it('keeps the minimum term, and refunds the share of the whole hours after it', () => {
    // 92 days, of which 30 are the minimum.
    const rest = (hours: number) => Math.floor((92_000_000 * hours) / (92 * 24) / 2);
    expect(refundOf(term, agreed, at('2026-11-21T09:00:00'))).toBe(rest(62 * 24));
    expect(refundOf(term, agreed, at('2026-12-21T09:00:00'))).toBe(rest(62 * 24));
    expect(refundOf(term, agreed, at('2026-12-21T09:00:01'))).toBe(rest(62 * 24 - 1));
    expect(refundOf(term, agreed, at('2027-02-21T08:00:01'))).toBe(0);
    expect(refundOf(term, agreed, at('2027-03-01T00:00:00'))).toBe(0);
  });

  it('check 15: an order of at least 24 hours that ends after 2 hours is charged for 24 hours', () => {
    const days: Term = {
      starts_at: at('2026-11-21T09:00:00'),
      ends_at: at('2026-11-24T09:00:00'),
      amount_micros: 3 * 84_000_000,
      refunded_micros: 0,
    };
    const rules = { period: 'day', min_periods: 1, refund_percent: 100 } as const;
    expect(days.amount_micros - refundOf(days, rules, at('2026-11-21T11:00:00'))).toBe(84_000_000);
  });

  it('never refunds more than the remainder, and less the later it is, for any term', () => {
    fc.assert(
      fc.property(
        fc.record({
          period: fc.constantFrom('day' as const, 'month' as const),
          periods: fc.integer({ min: 1, max: 36 }),
          min: fc.integer({ min: 1, max: 36 }),
          price: fc.integer({ min: 1, max: 27_000_000_000 }),
          percent: fc.integer({ min: 0, max: 100 }),
          refunded: fc.double({ min: 0, max: 1, noNaN: true }),
          start: fc.integer({ min: 1_700_000_000, max: 1_900_000_000 }),
          moments: fc.tuple(fc.integer({ min: -100_000, max: 100_000_000 }), fc.nat({ max: 10_000_000 })),
        }),
        ({ period, periods, min, price, percent, refunded, start, moments: [first, more] }) => {
          const starts_at = new Date(start * 1000);
          const amount_micros = price * periods;
          const one: Term = {
            starts_at,
            ends_at: addPeriods(starts_at, period, periods),
            amount_micros,
            refunded_micros: Math.floor(amount_micros * refunded),
          };
          const rules = { period, min_periods: Math.min(min, periods), refund_percent: percent };
          const early = refundOf(one, rules, new Date(starts_at.getTime() + first * 1000));
          const late = refundOf(one, rules, new Date(starts_at.getTime() + (first + more) * 1000));
          expect(early).toBeLessThanOrEqual(amount_micros - one.refunded_micros);
          expect(late).toBeLessThanOrEqual(early);
          expect(late).toBeGreaterThanOrEqual(0);
          expect(Number.isSafeInteger(early)).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

it("states the buyers' terms", () => {
  const offer = { instance_type: 'h200.small', covers: 'cvm', price_micros: 1_900_000_000 } as const;
  expect(rulesOf({ ...agreed, ...offer })).toEqual([
    'Covers one CVM of type h200.small: until it ends, that CVM costs nothing more, running or stopped, except for disk above what the type includes. If there are several, a running one is covered.',
    '$1,900.00 per month, paid for the whole term in advance. Invoices add tax.',
    'Canceling before the start refunds everything.',
    'Canceling after the start ends it immediately. The first month of a term is not refunded. For each whole hour left after that, 50% of its price is refunded, to the prepaid balance and credits that paid for it.',
    'It ends when its term ends. If renewal is turned on, the next term is charged a day before that, provided price and rules are unchanged.',
    'While a payment is due, a covered CVM is stopped like any other.',
  ]);
  expect(rulesOf({ ...agreed, ...offer, min_periods: 3, refund_percent: 100 })[3]).toContain(
    'The first 3 months of a term are not refunded',
  );
  expect(rulesOf({ ...agreed, ...offer, refund_percent: 0 })[3]).toBe(
    'Canceling after the start refunds nothing.',
  );
});
