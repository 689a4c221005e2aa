import { expect, it } from 'vitest';
import { missingCalls } from './ApprovalsPanel';

it('lists the transactions that a waiting change lacks', () => {
  const compose_hash = 'bb'.repeat(32);
  const device = (allowed: boolean | null) => ({ device_id: 'd1'.repeat(32), name: null, allowed });
  const calls = (hash: boolean | null, allowed: boolean | null) =>
    missingCalls({ compose_hash, compose_hash_allowed: hash, devices: [device(allowed)] }).map(
      ({ signature }) => signature,
    );
  expect(calls(false, false)).toEqual(['addComposeHash(bytes32)', 'addDevice(bytes32)']);
  expect(calls(true, false)).toEqual(['addDevice(bytes32)']);
  expect(calls(true, true)).toEqual([]);
  // The chain can't be read: nothing is known to be missing.
  expect(calls(null, null)).toEqual([]);
});
