import { expect, it } from 'vitest';
import { changedMap, regionName } from './mapAddress';

const changed = (before: string, change: Parameters<typeof changedMap>[1]) =>
  changedMap(new URLSearchParams(before), change).toString();

it('filters by nodes without a region, and back to all regions', () => {
  expect(changed('q=rack&page=3', { region: '' })).toBe('q=rack&region=');
  expect(changed('q=rack&region=', { region: null })).toBe('q=rack');
});

it('keeps other filters and starts at the first page', () => {
  expect(changed('region=eu-west&page=2', { attention: 'true' })).toBe('region=eu-west&attention=true');
  expect(changed('q=rack&region=', { q: null })).toBe('region=');
});

it('converts missing regions between the API and the address', () => {
  expect([null, '', 'eu-west'].map(regionName)).toEqual(['No region', 'No region', 'eu-west']);
});
