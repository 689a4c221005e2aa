import { expect, test } from 'vitest';
import { teamHomeHref, teamHomeSearch, viewHref } from './search';

test('round-trips a filtered list through the address', () => {
  const search = { q: 'ü & b', status: 'error', page: 3 } as const;
  const url = new URL(teamHomeHref('/acme', search), 'http://x');
  expect(url.pathname).toBe('/acme');
  expect(teamHomeSearch(Object.fromEntries(url.searchParams))).toEqual(search);
  expect(teamHomeHref('/acme', { show: 'bin' })).toBe('/acme?show=bin');
  expect(teamHomeSearch({ show: 'bin' })).toMatchObject({ show: 'bin' });
});

test('drops invalid address parameters, overriding the raw values', () => {
  const nothing = {
    q: undefined,
    status: undefined,
    sort: undefined,
    order: undefined,
    page: undefined,
    show: undefined,
  };
  expect(teamHomeSearch({ q: '  ', status: 'bogus', page: '-1' })).toStrictEqual(nothing);
  expect(teamHomeSearch({ q: '\0' })).toStrictEqual(nothing);
  expect(teamHomeSearch({ status: 'constructor', page: '1e9999', show: 'all' })).toStrictEqual(nothing);
});

test('keeps the sort in the address and drops unknown columns', () => {
  expect(teamHomeHref('/acme', teamHomeSearch({ sort: 'hourly_cost', order: 'desc' }))).toBe(
    '/acme?sort=hourly_cost&order=desc',
  );
  expect(teamHomeHref('/acme', teamHomeSearch({ sort: 'name', order: 'sideways' }))).toBe('/acme?sort=name');
  expect(teamHomeHref('/acme', teamHomeSearch({ sort: 'team_id', order: 'desc' }))).toBe('/acme');
});

test('returns from the recycle bin to the same search', () => {
  const bin = viewHref('/acme', teamHomeSearch({ q: 'web', sort: 'name', order: 'desc' }), 'bin');
  expect(bin).toBe('/acme?q=web&sort=name&order=desc&show=bin');
  const search = teamHomeSearch(Object.fromEntries(new URL(bin, 'http://x').searchParams));
  expect(viewHref('/acme', search, undefined)).toBe('/acme?q=web&sort=name&order=desc');
});
