import { expect, it } from 'vitest';
import { chainById } from '../../../console/lib/kms/chains';
import { appContractOut } from './appContractResponse';

const OWNER = `0x${'a1'.repeat(20)}`;
const NEXT = `0x${'b2'.repeat(20)}`;
const ZERO = `0x${'0'.repeat(40)}`;

const policyWith = (pending_owner: string | null, owner: string | null = OWNER, code_present = true) =>
  appContractOut({
    chain: chainById(31337)!,
    address: `0x${'c3'.repeat(20)}`,
    kms_contract_address: `0x${'d4'.repeat(20)}`,
    reading: {
      code_present,
      registered: true,
      owner,
      pending_owner,
      implementation: null,
      kms_implementation: null,
      allow_any_device: false,
      require_tcb_up_to_date: null,
      upgrades_disabled: null,
      compose_hashes: [],
      device_ids: [],
      block_number: 1,
      block_at: new Date(0),
    },
    hashes: [],
    devices: [],
    hosts: [],
    history: [],
    index: null,
  }).policy;

it('says whether a new owner must accept', () => {
  // Contracts with one-step transfer have no pending owner at all.
  expect(policyWith(null)).toMatchObject({ two_step_transfer: false, pending_owner: null });
  expect(policyWith(ZERO)).toMatchObject({ two_step_transfer: true, pending_owner: null });
  expect(policyWith(NEXT)).toMatchObject({ two_step_transfer: true, pending_owner: NEXT });
});

it('says that nobody can change the contract only if the contract names no owner', () => {
  const renounced = (...given: Parameters<typeof policyWith>) => policyWith(...given)?.renounced;
  expect(renounced(ZERO, ZERO)).toBe(true);
  expect(renounced(null, ZERO)).toBe(true);
  expect(renounced(NEXT, ZERO)).toBe(false);
  expect(renounced(ZERO, OWNER)).toBe(false);
  // A contract without this function may be changed in unknown ways, and one that is gone, deployed again.
  expect(renounced(null, null)).toBe(false);
  expect(renounced(null, null, false)).toBe(false);
});
