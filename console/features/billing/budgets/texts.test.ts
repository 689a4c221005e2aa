import { expect, it } from 'vitest';
import { parseAlerts } from './texts';

it.each([
  ['50, 80, 100', [50, 80, 100]],
  ['100% 50%;80', [50, 80, 100]],
  ['90 90', [90]],
  ['', null],
  ['0', null],
  ['201', null],
  ['12.5', null],
  ['half', null],
  ['1 2 3 4 5 6', null],
])('reads the percentages of %j as %j', (text, alerts) => {
  expect(parseAlerts(text)).toEqual(alerts);
});
