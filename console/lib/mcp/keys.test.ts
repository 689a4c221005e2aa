import { expect, it } from 'vitest';
import { NEW_OWN_SERVER, ownServerCompose } from './own/ownServer';
import { countsKeyUse, keyEntry, keyNameFault, takesFurtherKeys } from './keys';

it('names a key as servers accept it', () => {
  for (const name of ['alice', 'A', '0', 'ci-runner_2.eu', 'constructor', 'n'.repeat(64)])
    expect(keyNameFault(name, ['bob']), name).toBeUndefined();
  for (const name of ['', ' ', '-a', '__proto__', 'a b', 'a,b', 'a:b', 'é', 'a\n', 'n'.repeat(65)])
    expect(keyNameFault(name, []), name).toBeDefined();
  expect(keyNameFault('bob', ['default', 'bob'])).toBe('There is a key with this name.');
  // That of MCP_KEY, which a key other than the owner's doesn't see.
  expect(keyNameFault('default', ['alice'])).toBe('There is a key with this name.');
  expect(keyEntry('alice', 'k'.repeat(16))).toBe(`alice:${'k'.repeat(16)}`);
});

it('recognizes servers that count the use of their keys, and those with several', () => {
  const compose = ownServerCompose({ ...NEW_OWN_SERVER, name: 'notes', version: '1.4.2' });
  expect([countsKeyUse(compose), takesFurtherKeys(compose)]).toEqual([true, true]);
  const earlier = 'environment: { MCP_KEY: "${MCP_KEY}", MCP_REQUESTS_PER_MINUTE: "120" }';
  expect([countsKeyUse(earlier), takesFurtherKeys(earlier)]).toEqual([true, false]);
  expect([countsKeyUse('MCP_KEY'), takesFurtherKeys('MY_MCP_KEYS_2')]).toEqual([false, false]);
});
