import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tabsThatFit } from './fittingTabs';

const line = { available: 300, gap: 10, more: 50, current: 0 };

it('shows all tabs if they fit, without space for the menu’s button', () => {
  expect(tabsThatFit([90, 90, 100], line)).toEqual([0, 1, 2]);
  expect(tabsThatFit([90, 90, 100.4], line)).toEqual([0, 1, 2]);
  expect(tabsThatFit([], line)).toEqual([]);
});

it('shows the first tabs beside the menu’s button if they don’t', () => {
  // 90 + 10 + 90 + 10 + 50 = 250: the next one is too long, and later ones don't take its place.
  expect(tabsThatFit([90, 90, 101, 10], line)).toEqual([0, 1]);
});

it('always shows the current tab, in its order', () => {
  expect(tabsThatFit([90, 90, 101, 40], { ...line, current: 3 })).toEqual([0, 1, 3]);
  expect(tabsThatFit([90, 90, 101, 140], { ...line, current: 3 })).toEqual([0, 3]);
  expect(tabsThatFit([90, 400], { ...line, current: 1 })).toEqual([1]);
});

it('shows all tabs while the line has no width', () => {
  expect(tabsThatFit([90, 90, 101], { ...line, available: 0 })).toEqual([0, 1, 2]);
});

it('never exceeds the line, except with the current tab alone', () => {
  const widths = fc.array(fc.double({ min: 1, max: 300, noNaN: true }), { minLength: 1, maxLength: 30 });
  const cases = fc.record({
    available: fc.double({ min: 1, max: 2000, noNaN: true }),
    gap: fc.integer({ min: 0, max: 40 }),
    more: fc.integer({ min: 1, max: 80 }),
    current: fc.integer({ min: -1, max: 29 }),
  });
  fc.assert(
    fc.property(widths, cases, (tabs, given) => {
      const fitting = tabsThatFit(tabs, given);
      const length =
        fitting.reduce((sum, index) => sum + (tabs[index] ?? 0), 0) + given.gap * (fitting.length - 1);
      const rest = fitting.length < tabs.length ? given.gap + given.more : 0;
      const isCurrentAlone = fitting.length === 1 && fitting[0] === given.current;
      if (tabs[given.current] !== undefined) expect(fitting).toContain(given.current);
      if (fitting.length > 0 && !isCurrentAlone)
        expect(length + rest).toBeLessThanOrEqual(given.available + 1);
      expect(fitting).toEqual([...new Set(fitting)].toSorted((a, b) => a - b));
    }),
  );
});
