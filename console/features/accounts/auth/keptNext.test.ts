import { expect, test } from 'vitest';
import { keepNext, keptNext } from './keptNext';

const NOW = 1_800_000_000_000;

test('keeps the page requested before registration for a day, until it is opened', () => {
  expect(keptNext(NOW)).toBeUndefined();
  keepNext('/launch?template=postgresql', NOW);
  expect(keptNext(NOW + 23 * 3_600_000)).toBe('/launch?template=postgresql');
  expect(keptNext(NOW + 25 * 3_600_000)).toBeUndefined();
  keepNext(undefined, NOW);
  expect(keptNext(NOW)).toBeUndefined();
});

test.each(['https://elsewhere.test/', '//elsewhere.test', 'javascript:alert(1)'])(
  'it is never %s',
  (next) => {
    keepNext(next, NOW);
    expect(keptNext(NOW)).toBeUndefined();
  },
);
