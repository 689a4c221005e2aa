import { expect, test } from 'vitest';
import { cvmNameProblem } from '../../lib/ids';
import { commands } from './commands';
import { launchHref, launchSearch, nextName } from './search';

const APP = 'ab12'.repeat(10);

test('the address of a way reads back as the same way', () => {
  for (const search of [{ way: 'agent' }, { way: 'copy', app: APP }] as const) {
    const { searchParams } = new URL(launchHref('/acme/launch', search), 'http://x');
    expect(launchSearch(Object.fromEntries(searchParams))).toEqual({ app: undefined, ...search });
  }
  expect(launchHref('/launch', {})).toBe('/launch');
});

test('an app in the address opens its way; nonsense is dropped', () => {
  expect(launchSearch({ app: APP })).toEqual({ way: 'copy', app: APP });
  expect(launchSearch({ way: 'magic', app: '../x' })).toEqual({ way: undefined, app: undefined });
});

test('copies have names of their own that the server accepts', () => {
  expect(nextName('web-1')).toBe('web-1-copy');
  expect(nextName('web-1-copy')).toBe('web-1-copy-2');
  expect(nextName('web-1-copy-9')).toBe('web-1-copy-10');
  for (const name of ['a'.repeat(63), `${'a'.repeat(49)}-${'b'.repeat(13)}`])
    expect(cvmNameProblem(nextName(name)), name).toBeNull();
});

test('the commands name the server they are for', () => {
  const { login, pipeline } = commands('https://tee.example/');
  expect(login).toBe('npx phala login --url https://tee.example/api/v1');
  expect(pipeline).toContain('PHALA_CLOUD_API_PREFIX=https://tee.example/api/v1\n');
});
