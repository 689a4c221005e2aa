import { expect, it } from 'vitest';
import type { AppContract } from '../../../generated/api/types.gen';
import { renouncedContract, rollbackEffect } from './renounced';

const ALLOWED = `0x${'aa'.repeat(32)}`;
const REMOVED = `0x${'bb'.repeat(32)}`;
const entry = (value: string, allowed: boolean) => ({
  value,
  name: null,
  allowed,
  added_at: '2026-11-21T08:00:00Z',
  added_by: `0x${'1'.repeat(40)}`,
  tx_hash: `0x${'2'.repeat(64)}`,
});
const contract = (
  owner: string | null,
  complete: boolean,
  pending_owner: string | null = null,
): AppContract => ({
  chain: 'local',
  chain_id: 31337,
  address: `0x${'3'.repeat(40)}`,
  kms_contract_address: `0x${'4'.repeat(40)}`,
  policy: {
    code_present: true,
    registered: true,
    owner,
    pending_owner,
    renounced: owner === null && pending_owner === null,
    two_step_transfer: true,
    implementation: null,
    kms_implementation: null,
    allow_any_device: false,
    require_tcb_up_to_date: null,
    upgrades_disabled: null,
    block_number: 1,
    block_at: '2026-11-21T08:00:00Z',
  },
  error: null,
  compose_hashes: [entry(ALLOWED, true), entry(REMOVED, false)],
  devices: [],
  hosts: [],
  history: [],
  index: {
    from_block: 1,
    to_block: 1,
    latest_block: 1,
    complete,
    read_at: '2026-11-21T08:00:00Z',
    error: null,
  },
});

it('treats a contract as renounced only if nobody can change it', () => {
  const someone = `0x${'5'.repeat(40)}`;
  expect(renouncedContract(contract(someone, true), 'Base')).toBeNull();
  expect(renouncedContract(contract(null, true, someone), 'Base')).toBeNull();
  expect(renouncedContract({ ...contract(null, true), policy: null }, 'Base')).toBeNull();
  // A contract that a reorganization removed has no owner either, but may be deployed again.
  const { policy, ...rest } = contract(null, true);
  const gone = policy && { ...policy, code_present: false, registered: false, renounced: false };
  expect(renouncedContract({ ...rest, policy: gone }, 'Base')).toBeNull();
  expect(renouncedContract(contract(null, true), 'Base')?.network).toBe('Base');
});

it('knows what it never allows only if its events are complete', () => {
  const known = renouncedContract(contract(null, true), 'Base');
  const hash = ALLOWED.slice(2).toUpperCase();
  expect([hash, REMOVED, 'cc'.repeat(32)].map((one) => known?.allows(one))).toEqual([true, false, false]);
  const partly = renouncedContract(contract(null, false), 'Base');
  expect([hash, REMOVED, 'cc'.repeat(32)].map((one) => partly?.allows(one))).toEqual([true, false, null]);
});

it('describes the consequences for a rollback', () => {
  expect(rollbackEffect('Base', false, null).join()).toContain('until the owner does');
  expect(rollbackEffect('Base', true, false).join()).toContain('nobody can roll back to it');
  expect(rollbackEffect('Base', true, null).join()).toContain('the rollback is refused');
  expect(rollbackEffect('Base', true, true)).toEqual([]);
});
