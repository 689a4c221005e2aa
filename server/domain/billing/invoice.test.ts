import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allocateCents, centsOfMicros, completedMonth, creditLines, documentNumber, taxOn } from './invoice';

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('months', () => {
  it('are UTC and complete', () => {
    expect(completedMonth(new Date('2026-03-01T00:00:00Z'))).toEqual({
      start: new Date('2026-02-01T00:00:00Z'),
      end: new Date('2026-03-01T00:00:00Z'),
    });
    expect(completedMonth(new Date('2026-01-31T23:59:59Z'), 1)).toEqual({
      start: new Date('2025-11-01T00:00:00Z'),
      end: new Date('2025-12-01T00:00:00Z'),
    });
  });
});

describe('cents', () => {
  it('go to the largest remainders, first to the earlier of equal ones', () => {
    expect(allocateCents([3_334, 3_333, 3_333])).toEqual([1, 0, 0]);
    expect(allocateCents([15_000, 15_000, 20_000])).toEqual([2, 1, 2]);
    expect(allocateCents([])).toEqual([]);
  });

  it('of lines sum to the rounded total, each within a cent of its amount', () => {
    const amounts = fc.array(fc.integer({ min: -10_000_000_000, max: 1_000_000_000_000 }), { maxLength: 50 });
    fc.assert(
      fc.property(amounts, (micros) => {
        const cents = allocateCents(micros);
        expect(sum(cents) + 0).toBe(centsOfMicros(sum(micros)) + 0);
        cents.forEach((part, index) =>
          expect(Math.abs(part * 10_000 - (micros[index] ?? 0))).toBeLessThan(10_000),
        );
      }),
    );
  });

  it('of tax are rounded half up on the sum, in a credit note as well', () => {
    expect(taxOn(1_050, 1_900)).toBe(200);
    expect(taxOn(-1_050, 1_900)).toBe(-200);
    expect(taxOn(1_000, 0)).toBe(0);
  });
});

describe('credit notes', () => {
  it('sum to the invoice exactly, no matter how it is divided', () => {
    const input = fc.record({
      micros: fc.array(fc.integer({ min: 0, max: 100_000_000 }), {
        minLength: 1,
        maxLength: 12,
      }),
      rate: fc.integer({ min: 0, max: 10_000 }),
      shares: fc.array(fc.integer({ min: 1, max: 99 }), { maxLength: 5 }),
    });
    fc.assert(
      fc.property(input, ({ micros, rate, shares }) => {
        const cents = allocateCents(micros);
        fc.pre(sum(cents) > 0);
        let left = micros.map((value, index) => ({
          micros: value,
          cents: cents[index] ?? 0,
        }));
        let tax = taxOn(sum(cents), rate);
        const take = (amount: number) => {
          const part = creditLines(amount, left, { rate, remaining: tax });
          expect(sum(part.lines.map((line) => line.cents))).toBe(amount);
          left = left.map((line, index) => ({
            micros: line.micros - (part.lines[index]?.micros ?? 0),
            cents: line.cents - (part.lines[index]?.cents ?? 0),
          }));
          tax -= part.tax_cents;
          expect(tax).toBeGreaterThanOrEqual(0);
        };
        const rest = () => sum(left.map((line) => line.cents));
        for (const percent of shares) {
          const amount = Math.floor((rest() * percent) / 100);
          if (amount > 0) take(amount);
        }
        if (rest() > 0) take(rest());
        expect([sum(left.map((line) => line.micros)), rest(), tax]).toEqual([0, 0, 0]);
      }),
    );
  });

  it('are refused above the remainder', () => {
    const lines = [{ micros: 10_000, cents: 1 }];
    expect(() => creditLines(2, lines, { rate: 0, remaining: 0 })).toThrow(RangeError);
    expect(() => creditLines(0, lines, { rate: 0, remaining: 0 })).toThrow(RangeError);
  });
});

it('have numbers with their series and at least five digits', () => {
  expect(documentNumber('INV-2026', 42)).toBe('INV-2026-00042');
  expect(documentNumber('INV-2026', 123_456)).toBe('INV-2026-123456');
});
