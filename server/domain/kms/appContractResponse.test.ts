import { expect, it } from 'vitest';
import { chainById } from '../../../console/lib/kms/chains';
import { appContractOut } from './appContractResponse';

const OWNER = `0x${'a1'.repeat(20)}`;
const NEXT = `0x${'b2'.repeat(20)}`;
const ZERO = `0x${'0'.repeat(40)}`;

const policyWith = (pending_owner: string | null) =>
  appContractOut({
    chain: chainById(31337)!,
    address: `0x${'c3'.repeat(20)}`,
    kms_contract_address: `0x${'d4'.repeat(20)}`,
    reading: {
      code_present: true,
      registered: true,
      owner: OWNER,
      pending_owner,
      implementation: null,
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
