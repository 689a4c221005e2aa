import { expect, it } from 'vitest';
import { NEW_OWN_SERVER, ownServerCompose } from './own/ownServer';
import { countsKeyUse, keyEntry, keyNameFault, takesFurtherKeys } from './keys';

it('accepts the same key names as servers', () => {
  for (const name of ['alice', 'A', '0', 'ci-runner_2.eu', 'constructor', 'n'.repeat(64)])
    expect(keyNameFault(name, ['bob']), name).toBeUndefined();
  for (const name of ['', ' ', '-a', '__proto__', 'a b', 'a,b', 'a:b', 'é', 'a\n', 'n'.repeat(65)])
    expect(keyNameFault(name, []), name).toBeDefined();
  expect(keyNameFault('bob', ['default', 'bob'])).toBe('A key with this name already exists.');
  // The name of MCP_KEY, which isn't visible to other keys than the owner's.
  expect(keyNameFault('default', ['alice'])).toBe('A key with this name already exists.');
  expect(keyEntry('alice', 'k'.repeat(16))).toBe(`alice:${'k'.repeat(16)}`);
});

it('detects servers that count key usage, and those with several keys', () => {
  const compose = ownServerCompose({ ...NEW_OWN_SERVER, name: 'notes', version: '1.4.2' });
  expect([countsKeyUse(compose), takesFurtherKeys(compose)]).toEqual([true, true]);
  const earlier = 'environment: { MCP_KEY: "${MCP_KEY}", MCP_REQUESTS_PER_MINUTE: "120" }';
  expect([countsKeyUse(earlier), takesFurtherKeys(earlier)]).toEqual([true, false]);
  expect([countsKeyUse('MCP_KEY'), takesFurtherKeys('MY_MCP_KEYS_2')]).toEqual([false, false]);
});
