import { describe, expect, it } from 'vitest';
import type { AppContractPolicy } from '../../../../generated/api/types.gen';
import { dangerChanges, pendingTransfer, policyChanges } from './policyChanges';

const OWNER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const NEXT = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const policy: AppContractPolicy = {
  code_present: true,
  registered: true,
  owner: OWNER,
  pending_owner: null,
  renounced: false,
  two_step_transfer: true,
  implementation: null,
  kms_implementation: null,
  allow_any_device: false,
  require_tcb_up_to_date: true,
  upgrades_disabled: false,
  block_number: 1,
  block_at: '2026-11-21T08:00:00Z',
};
const offered = { ...policy, pending_owner: NEXT };
const old = { ...policy, two_step_transfer: false, require_tcb_up_to_date: null, upgrades_disabled: null };

const everyday = (of: AppContractPolicy) => policyChanges(of, []).map(({ label }) => label);
const danger = (of: AppContractPolicy) => dangerChanges(of).map(({ label }) => label);
const named = (label: string, of: AppContractPolicy) => {
  const found = [...policyChanges(of, []), ...dangerChanges(of)].find((one) => one.label === label);
  if (!found) throw new Error(`There is no ${label}`);
  return found;
};

describe('the changes of a contract', () => {
  it('match its version', () => {
    expect(danger(policy)).toContain('Disable upgrades…');
    expect(danger(old)).not.toContain('Disable upgrades…');
    expect(everyday(old).some((label) => label.includes('TCB'))).toBe(false);
  });

  it('are grouped by severity', () => {
    expect(danger(policy)).toEqual(['Transfer ownership…', 'Disable upgrades…', 'Renounce ownership…']);
    expect(everyday(policy)).toEqual([
      'Allow compose hash…',
      'Allow device…',
      'Allow any device…',
      'Accept an outdated TCB…',
    ]);
  });

  it('must be typed if irreversible', () => {
    const typed = (of: AppContractPolicy) =>
      [...policyChanges(of, []), ...dangerChanges(of)].flatMap(({ label, typed: word }) =>
        word ? [label] : [],
      );
    expect(typed(policy)).toEqual(['Disable upgrades…', 'Renounce ownership…']);
    // Without a second step, a wrong address is final.
    expect(typed(old)).toContain('Transfer ownership…');
  });
});

describe('a device', () => {
  const device = `0x${'1f'.repeat(32)}`;
  const allow = policyChanges(policy, [{ name: 'rack1-a', device_id: device }]).find(
    ({ label }) => label === 'Allow device…',
  );

  it('can be chosen by the name of its host', () => {
    expect(allow?.call).toMatchObject({ choices: [{ label: 'rack1-a', value: device }] });
  });

  it('can’t be given as part of its ID, and the error keeps the help text', () => {
    const call = allow?.call;
    if (!call || !('fault' in call)) throw new Error('a device ID must be entered');
    expect(call.fault('ab12')).toMatch(/4 hex digits instead of 64/);
    expect(call.fault('ab12')).not.toBe(call.help);
    expect(call.fault(device)).toBeNull();
  });
});

describe('an ownership transfer', () => {
  it('explains the effect for this contract', () => {
    const effect = (of: AppContractPolicy) => named('Transfer ownership…', of).effect;
    expect(effect(policy)).toMatch(/two steps.*0x70997970C51812dc3A010C7d01b50e0d17dc79C8 remains the owner/);
    expect(effect(old)).toMatch(/one step.*takes over as soon as/);
    expect(effect(offered)).toContain('replaces the pending offer');
    for (const of of [policy, old]) expect(effect(of)).not.toMatch(/[Nn]ewer|[Oo]lder/);
  });

  it('rejects the zero address and addresses with a wrong checksum', () => {
    const { call } = named('Transfer ownership…', policy);
    if (!('fault' in call)) throw new Error('the new owner must be entered');
    expect(call.fault(`0x${'0'.repeat(40)}`)).not.toBeNull();
    expect(call.fault('0x3C44CdDDB6a900fa2b585dd299e03d12FA4293BC')).not.toBeNull();
    expect(call.fault(NEXT)).toBeNull();
    expect(call.fault(OWNER)).toBe('This account is already the owner.');
  });

  it('is accepted only by the pending owner, and withdrawn by the owner', () => {
    expect(pendingTransfer(policy)).toBeNull();
    const transfer = pendingTransfer(offered);
    expect(transfer?.accept.effect).toMatch(
      /^Only the pending owner, 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC,/,
    );
    expect(transfer?.accept.sender).toMatchObject({
      account: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      advice: expect.stringContaining('The current owner can’t accept') as string,
    });
    expect(transfer?.withdraw).toMatchObject({
      call: { signature: 'transferOwnership(address)', argument: `0x${'0'.repeat(40)}` },
    });
    expect(transfer?.withdraw.sender).toBeUndefined();
  });
});
