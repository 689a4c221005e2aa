import { expect, it } from 'vitest';
import { missingCalls } from './ApprovalsPanel';
import { policyChanges } from './policyChanges';

const policy = {
  code_present: true,
  registered: true,
  owner: `0x${'a'.repeat(40)}`,
  pending_owner: null,
  implementation: null,
  allow_any_device: false,
  require_tcb_up_to_date: true,
  upgrades_disabled: false,
  block_number: 1,
  block_at: '2026-11-21T08:00:00Z',
};

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

it('offers the changes that this version of the contract has', () => {
  const labels = (
    change:
      | Partial<typeof policy>
      | { pending_owner: string }
      | { require_tcb_up_to_date: null; upgrades_disabled: null },
  ) => policyChanges({ ...policy, ...change }).map(({ label }) => label);
  expect(labels({})).toContain('Disable upgrades…');
  expect(labels({})).not.toContain('Accept ownership…');
  expect(labels({ pending_owner: `0x${'b'.repeat(40)}` })).toContain('Accept ownership…');
  const old = labels({ require_tcb_up_to_date: null, upgrades_disabled: null });
  expect(old).not.toContain('Disable upgrades…');
  expect(old.some((label) => label.includes('TCB'))).toBe(false);
});

it('asks to type what can’t be undone', () => {
  const typed = policyChanges(policy).flatMap(({ label, typed: word }) => (word ? [label] : []));
  expect(typed).toEqual(['Disable upgrades…', 'Renounce ownership…']);
});
