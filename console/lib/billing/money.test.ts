import { describe, expect, it } from 'vitest';
import {
  formatHourly,
  formatMicros,
  formatMonthly,
  formatUsd,
  parseMicros,
  perMonth,
  lastsText,
  rateSteps,
  runway,
  exactUsd,
} from './money';

describe('decimal strings', () => {
  it.each<[string, number]>([
    ['0.058', 58_000],
    ['0', 0],
    ['-0', 0],
    ['12', 12_000_000],
    ['-3.2', -3_200_000],
    ['0.000001', 1],
    ['1.1000000000', 1_100_000],
    ['9007199254.740991', Number.MAX_SAFE_INTEGER],
    [' 5.00 ', 5_000_000],
  ])('%s', (text, micros) => expect(Object.is(parseMicros(text), micros)).toBe(true));
  it.each(['', '.', '1.', '.5', '1e3', '1,5', '0.0000001', '9007199254.740992', 'NaN', '0x1', '--1'])(
    '%j is refused',
    (text) => expect(parseMicros(text)).toBeNull(),
  );
  it('round-trips exactly', () => {
    for (let i = 0; i < 5000; i++) {
      const micros = Math.trunc((Math.random() * 2 - 1) * 10 ** (Math.random() * 15.9));
      expect(parseMicros(formatMicros(micros))).toBe(micros === 0 ? 0 : micros);
    }
    expect(formatMicros(12_000_000)).toBe('12.00');
    expect(formatMicros(-58_000)).toBe('-0.058');
    expect(formatMicros(1)).toBe('0.000001');
    expect(() => formatMicros(0.5)).toThrow(RangeError);
  });
});

it('formats amounts for display', () => {
  expect(formatUsd(1_234_567_890)).toBe('$1,234.57');
  expect(formatUsd(1_234_567_890_000)).toBe('$1,234,567.89');
  expect(formatUsd(-3_200_000)).toBe('−$3.20');
  expect(formatUsd(999_999)).toBe('$0.999999');
  expect(formatUsd(1_999_999)).toBe('$2.00');
  expect(formatUsd(0)).toBe('$0.00');
  expect(formatHourly(58_000)).toBe('$0.058/h');
  expect(formatMonthly(58_000)).toBe('$42.34/month');
  expect(perMonth(58_000)).toBe(42_340_000);
  expect(() => perMonth(Number.MAX_SAFE_INTEGER)).toThrow(RangeError);
});

it('says how long a balance lasts', () => {
  expect(runway(58_000, 58_000)).toBe(3600);
  expect(runway(Number.MAX_SAFE_INTEGER, 3_600_000)).toBe(9_007_199_254_740);
  expect(runway(0, 1)).toBe(0);
  expect(runway(-1, 1)).toBe(0);
  expect(runway(100, 0)).toBeNull();
  expect(runway(-1, 0)).toBeNull();
  // Free for an hour, then at two rates.
  const steps = [
    { after: 3_600, more: 58_000 },
    { after: 7_200, more: 58_000 },
  ];
  expect(runway(29_000, 0, steps)).toBe(5_400);
  expect(runway(58_000 * 3, 0, steps)).toBe(3 * 3_600);
  expect(runway(29_000, 58_000, steps)).toBe(1_800);
  expect(runway(0, 0, steps)).toBe(3_600);
});

it('counts whole seconds until each rate change, and none for one that is due', () => {
  const now = new Date('2026-11-21T08:00:00.900Z');
  const changes = [
    { at: new Date('2026-11-21T07:00:00Z'), more: 1 },
    { at: new Date('2026-11-21T09:00:00Z'), more: 2 },
  ];
  expect(rateSteps(changes, now)).toEqual([
    { after: 0, more: 1 },
    { after: 3_599, more: 2 },
  ]);
});

it('keeps every digit of a small price, and two decimals of a round one', () => {
  expect(exactUsd('0.000016')).toBe('$0.000016');
  expect(exactUsd('0.058')).toBe('$0.058');
  expect(exactUsd('3')).toBe('$3.00');
  expect(exactUsd('12.500000')).toBe('$12.50');
});
it('groups thousands and marks negative amounts', () => {
  expect(exactUsd('-1234567.8')).toBe('−$1,234,567.80');
});
it('shows invalid input unchanged instead of NaN', () => {
  expect(exactUsd('n/a')).toBe('n/a');
});

it('describes balances that last, run out, or aren’t used', () => {
  expect([0, null, 90_000, 11 * 365 * 86_400].map(lastsText)).toEqual([
    'Used up',
    'No running costs',
    '1 d 1 h',
    'More than 10 years',
  ]);
});
