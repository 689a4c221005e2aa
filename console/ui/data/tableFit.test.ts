import { expect, it } from 'vitest';
import { fitOf, fits } from './tableFit';

it('hides columns by importance as the table narrows', () => {
  const shown = (width: number) =>
    ([1, 2, 3, 4] as const).filter((priority) => fits({ priority }, 1, fitOf(width)));
  expect(shown(1200)).toEqual([1, 2, 3, 4]);
  // The table's width in a 1280-pixel window.
  expect(shown(1008)).toEqual([1, 2, 3]);
  expect(shown(960)).toEqual([1, 2]);
  expect(shown(720)).toEqual([1]);
});

it('shows the first four columns of a phone row', () => {
  expect([0, 1, 2, 3, 4].map((index) => fits({ priority: 3 }, index, fitOf(390)))).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
});
