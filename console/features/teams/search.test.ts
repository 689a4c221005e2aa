import { expect, test } from 'vitest';
import { teamHomeHref, teamHomeSearch } from './search';

test('the address of a filtered list reads back as the same list', () => {
  const search = { q: 'ü & b', status: 'error', page: 3 } as const;
  const url = new URL(teamHomeHref('/acme', search), 'http://x');
  expect(url.pathname).toBe('/acme');
  expect(teamHomeSearch(Object.fromEntries(url.searchParams))).toEqual(search);
  expect(teamHomeHref('/acme', { show: 'bin' })).toBe('/acme?show=bin');
  expect(teamHomeSearch({ show: 'bin' })).toMatchObject({ show: 'bin' });
});

test('what makes no sense in an address is dropped, and overrides the raw value', () => {
  const nothing = { q: undefined, status: undefined, page: undefined, show: undefined };
  expect(teamHomeSearch({ q: '  ', status: 'bogus', page: '-1' })).toStrictEqual(nothing);
  expect(teamHomeSearch({ status: 'constructor', page: '1e9999', show: 'all' })).toStrictEqual(nothing);
});
