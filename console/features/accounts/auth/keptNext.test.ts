import { expect, test } from 'vitest';
import { keepNext, keptNext } from './keptNext';

const NOW = 1_800_000_000_000;

test('keeps the page requested before registration for a day, until it is opened', () => {
  expect(keptNext('registration', NOW)).toBeUndefined();
  keepNext('registration', '/launch?template=postgresql', NOW);
  expect(keptNext('registration', NOW + 23 * 3_600_000)).toBe('/launch?template=postgresql');
  expect(keptNext('registration', NOW + 25 * 3_600_000)).toBeUndefined();
  keepNext('registration', undefined, NOW);
  expect(keptNext('registration', NOW)).toBeUndefined();
});

test('keeps the page requested before a password reset apart from it', () => {
  keepNext('registration', '/launch', NOW);
  keepNext('reset', '/acme/members', NOW);
  expect([keptNext('registration', NOW), keptNext('reset', NOW)]).toEqual(['/launch', '/acme/members']);
  keepNext('reset', undefined, NOW);
  expect([keptNext('registration', NOW), keptNext('reset', NOW)]).toEqual(['/launch', undefined]);
});

test.each(['https://elsewhere.test/', '//elsewhere.test', 'javascript:alert(1)'])(
  'it is never %s',
  (next) => {
    keepNext('registration', next, NOW);
    expect(keptNext('registration', NOW)).toBeUndefined();
  },
);
