import { expect, it } from 'vitest';
import type { Approval } from '../../../../generated/api/types.gen';
import { contractCall } from '../../../lib/kms/contractCalls';
import { callsAfter, missingCalls } from './ApprovalsPanel';
import { approvalTexts } from './approvalTexts';
import { unreadApproval } from './unread';
import { senderOf } from './useOwnerFee';

it('lists a waiting change’s missing transactions', () => {
  const compose_hash = 'bb'.repeat(32);
  const device = (allowed: boolean | null) => ({ device_id: 'd1'.repeat(32), name: null, allowed });
  const calls = (hash: boolean | null, allowed: boolean | null) =>
    missingCalls({ compose_hash, compose_hash_allowed: hash, devices: [device(allowed)] }).map(
      ({ signature }) => signature,
    );
  expect(calls(false, false)).toEqual(['addComposeHash(bytes32)', 'addDevice(bytes32)']);
  expect(calls(true, false)).toEqual(['addDevice(bytes32)']);
  expect(calls(true, true)).toEqual([]);
  // The chain can't be read, so nothing is known to be missing.
  expect(calls(null, null)).toEqual([]);
});

const approval = (is_allowed: boolean | null): Approval => ({
  approval_id: 'apv_1',
  kind: 'update',
  cvm: { object_type: 'cvm', id: 'cvm_1', name: 'guarded', app_id: null, vm_uuid: null },
  revision: { revision_id: 'rev_2', revision_number: 2 },
  base_revision: { revision_id: 'rev_1', revision_number: 1 },
  compose_hash: 'bb'.repeat(32),
  compose_hash_allowed: is_allowed,
  devices: [{ device_id: 'd1'.repeat(32), name: null, allowed: is_allowed === null ? null : true }],
  is_allowed,
  error: null,
  overtaken: false,
  requested_by: null,
  created_at: '2026-11-21T08:00:00Z',
  expires_at: '2026-12-05T08:00:00Z',
});

it('keeps a transaction that may be in a wallet while the chain can’t be read', () => {
  const before = missingCalls(approval(false));
  expect(before).toHaveLength(1);
  expect(callsAfter(before, approval(null))).toEqual(before);
  expect(callsAfter(before, approval(true))).toEqual([]);
});

it('doesn’t say that a change is allowed if it can no longer be read', () => {
  const unread = unreadApproval(approval(true), 'Couldn’t reach the server.');
  expect(unread).toMatchObject({
    is_allowed: null,
    compose_hash_allowed: null,
    devices: [{ allowed: null }],
    error: 'Couldn’t reach the server.',
  });
});

const waiting = (
  is_allowed: boolean | null,
  kind: 'update' | 'replica' | 'rollout' = 'update',
  contract: 'there' | 'renounced' | 'gone' = 'there',
) =>
  approvalTexts(
    {
      kind,
      is_allowed,
      overtaken: false,
      revision: { revision_id: 'rev_2', revision_number: 2 },
      cvm: { object_type: 'cvm', id: 'cvm_1', name: 'guarded', app_id: null, vm_uuid: null },
    },
    contract,
  );

it('asks for the contract’s approval only until it is given', () => {
  for (const unknown of [false, null]) {
    expect(waiting(unknown).title).toBe('Update to revision 2 is waiting for the contract');
    expect(waiting(unknown).lead).toContain('Allow it on the contract');
  }
  expect(waiting(true).title).toBe('Update to revision 2 is ready to commit');
  expect(waiting(true).lead).not.toContain('Allow it on the contract');
});

it('says that nobody can allow it if the contract has no owner', () => {
  const { title, lead } = waiting(false, 'update', 'renounced');
  expect(title).toBe('Update to revision 2 can’t be committed');
  expect(lead).toMatch(/nobody can allow it/);
  expect(waiting(true, 'update', 'renounced').title).toContain('ready to commit');
});

it('doesn’t give up a change whose contract a reorganization removed', () => {
  const { title, lead } = waiting(false, 'update', 'gone');
  expect(title).toBe('Update to revision 2 is waiting for the contract');
  expect(lead).toContain('once the contract is back');
  expect(lead).not.toMatch(/Allow it on the contract|Withdraw/);
});

it('describes the effect of Commit on the CVMs', () => {
  expect(waiting(true).effect).toMatch(/restarts guarded with revision 2: it is unavailable until it boots/);
  expect(waiting(true, 'rollout').effect).toContain('one at a time');
  expect(waiting(true, 'replica').effect).toContain('another CVM');
});

it('estimates an acceptance from the pending owner, and everything else from the owner', () => {
  const owners = { owner: '0xa', pending_owner: '0xb' };
  expect(senderOf(owners, contractCall('acceptOwnership').data)).toBe('0xb');
  expect(senderOf(owners, contractCall('renounceOwnership').data)).toBe('0xa');
  // The chain can't be read.
  expect(senderOf(null, contractCall('renounceOwnership').data)).toBeNull();
});

it('offers only to withdraw a change that was overtaken', () => {
  const overtaken = {
    ...approval(false),
    overtaken: true,
    error: 'The CVM has been updated since this change was prepared.',
  };
  const { title, lead } = approvalTexts(overtaken, 'there');
  expect(title).toBe('Update to revision 2 was superseded');
  expect(lead).toContain('Withdraw it');
  expect(unreadApproval(overtaken, 'Couldn’t reach the server.').error).toBe(overtaken.error);
});
