import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { changedSearch, pageOf } from './searchAddress';

const changed = (before: string, change: Parameters<typeof changedSearch>[1]) =>
  changedSearch(new URLSearchParams(before), change).toString();

it('keeps an empty region, which means nodes without one', () => {
  expect(changed('q=rack&page=3', { region: '' })).toBe('q=rack&region=');
  expect(changed('q=rack&region=', { region: null })).toBe('q=rack');
});

it('keeps other parameters and starts at the first page', () => {
  expect(changed('region=eu-west&page=2', { attention: 'true' })).toBe('region=eu-west&attention=true');
  expect(changed('q=rack&region=', { q: null })).toBe('region=');
});

it('turns pages', () => {
  expect(changed('state=failed&page=2', { page: '3' })).toBe('state=failed&page=3');
  expect(changed('state=failed', { page: '2' })).toBe('state=failed&page=2');
});

it('reads the page, from 1', () => {
  const page = (search: string) => pageOf(new URLSearchParams(search));
  expect(['', 'page=3', 'page=0', 'page=-2', 'page=1.5', 'page=1e400', 'page=x'].map(page)).toEqual([
    1, 3, 1, 1, 1, 1, 1,
  ]);
});

it('is changed with useSearchAddress, because react-router’s hook leaves a record’s published address', () => {
  const admin = path.resolve(import.meta.dirname, '..');
  const files = readdirSync(admin, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const users = files.filter((file) =>
    /\buseSearchParams\(/.test(readFileSync(path.join(admin, file), 'utf8')),
  );
  expect(users).toEqual([]);
});
