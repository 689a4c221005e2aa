import { expect, it } from 'vitest';
import { parseAlerts, scopeChoices } from './texts';

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

it('says that apps are loading instead of offering only the team', () => {
  const labels = (...of: Parameters<typeof scopeChoices>) => scopeChoices(...of).map(({ label }) => label);
  expect(labels(undefined, false)).toEqual(['The team', 'Loading apps…']);
  expect(labels(undefined, true)).toEqual(['The team', 'Couldn’t load the apps']);
  expect(labels([{ app_id: 'ab', name: 'web' }], false)).toEqual(['The team', 'web']);
  expect(scopeChoices(undefined, false).at(-1)?.disabled).toBe(true);
});
