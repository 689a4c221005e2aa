import type { AppContract } from '../../../../generated/api/types.gen';
import { STORY_KMS } from '../../../lib/wallets/storyWallet';
import type { AppCvm } from './entryChange';
import type { Verdict } from './unread';

const OWNER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const NEXT = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const HASH = `0x${'bb1f0c5d2a7e4936'.repeat(4)}`;
const OLD_HASH = `0x${'17c0ffee2a7e4936'.repeat(4)}`;
const DEVICE = `0x${'1f2e3d4c5b6a7988'.repeat(4)}`;
const OTHER_DEVICE = `0x${'5b6a79881f2e3d4c'.repeat(4)}`;
const TX = `0x${'9a8b7c6d5e4f3021'.repeat(4)}`;
const OTHER_CODE = '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0';
const DAY_MS = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

const POLICY = {
  code_present: true,
  registered: true,
  owner: OWNER,
  pending_owner: null,
  renounced: false,
  two_step_transfer: true,
  implementation: '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512',
  kms_implementation: '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512',
  allow_any_device: false,
  require_tcb_up_to_date: true,
  upgrades_disabled: false,
  block_number: 24_000_000,
  block_at: ago(0),
};
/** Nothing is at the address. */
const GONE = {
  code_present: false,
  registered: false,
  owner: null,
  two_step_transfer: false,
  implementation: null,
  require_tcb_up_to_date: null,
  upgrades_disabled: null,
};
const added = { added_by: OWNER, tx_hash: TX };
const change = { sender: OWNER, tx_hash: TX, block_number: 23_999_000 };
const CONTRACT: AppContract = {
  chain: 'local',
  chain_id: 31337,
  address: '0x50b0ffd2d4bd4b8ec1f01d8aa23e5b0d2f6c8cc1',
  kms_contract_address: STORY_KMS,
  policy: POLICY,
  error: null,
  compose_hashes: [
    { value: HASH, name: 'revision 2', allowed: true, added_at: ago(1), ...added },
    { value: OLD_HASH, name: 'revision 1', allowed: false, added_at: ago(9), ...added },
  ],
  devices: [{ value: DEVICE, name: 'rack1-a', allowed: true, added_at: ago(9), ...added }],
  hosts: [
    { name: 'rack1-a', device_id: DEVICE },
    { name: 'rack1-b', device_id: OTHER_DEVICE },
  ],
  history: [
    { kind: 'ComposeHashRemoved', value: OLD_HASH, at: ago(0.5), ...change },
    { kind: 'ComposeHashAdded', value: HASH, at: ago(1), ...change },
    { kind: 'DeviceAdded', value: DEVICE, at: ago(9), ...change },
    { kind: 'OwnershipTransferred', value: OWNER, at: ago(9), ...change },
  ],
  index: {
    from_block: 23_900_000,
    to_block: 24_000_000,
    latest_block: 24_000_000,
    complete: true,
    read_at: ago(0),
    error: null,
  },
};
const INDEX = CONTRACT.index;

const ALLOWED: Verdict = {
  is_allowed: true,
  device_id_allowed: true,
  error: null,
  compose_hash: HASH.slice(2),
  device_id: DEVICE.slice(2),
};

export const storyCvms: readonly AppCvm[] = ['web-1', 'web-2'].map((name) => ({
  name,
  compose_hash: HASH.slice(2),
  device_id: DEVICE.slice(2),
}));

export interface ContractState {
  id: string;
  name: string;
  contract: AppContract;
  verdict: Verdict;
}

const state = (
  id: string,
  name: string,
  contract: Partial<AppContract> = {},
  verdict: Verdict = ALLOWED,
): ContractState => ({ id, name, contract: { ...CONTRACT, ...contract }, verdict });

const UNREACHABLE = 'The RPC for Local development (127.0.0.1:8545) isn’t responding.';

export const contractStates: readonly ContractState[] = [
  state('allowed', 'CVM allowed'),
  state(
    'refused',
    'CVM not allowed',
    {},
    { ...ALLOWED, is_allowed: false, error: 'Compose hash not allowed' },
  ),
  state('updated', 'Older hash still allowed', {
    compose_hashes: CONTRACT.compose_hashes.map((entry) => ({ ...entry, allowed: true })),
  }),
  state('pending', 'Ownership offered', { policy: { ...POLICY, pending_owner: NEXT } }),
  state('renounced', 'Without an owner', {
    policy: { ...POLICY, owner: null, renounced: true, upgrades_disabled: true },
  }),
  state('own-code', 'Another implementation, without an owner', {
    policy: {
      ...POLICY,
      implementation: OTHER_CODE,
      owner: null,
      renounced: true,
      upgrades_disabled: true,
    },
  }),
  state(
    'gone',
    'Removed by a reorganization',
    {
      policy: { ...POLICY, ...GONE },
      compose_hashes: [],
      devices: [],
      history: [],
    },
    { ...ALLOWED, is_allowed: false, device_id_allowed: false, error: 'App not registered' },
  ),
  state('device', 'Device not allowed', {}, { ...ALLOWED, is_allowed: false, error: 'Device not allowed' }),
  state('old', 'Older version', {
    policy: { ...POLICY, two_step_transfer: false, require_tcb_up_to_date: null, upgrades_disabled: null },
  }),
  state('any', 'Any device allowed', { policy: { ...POLICY, allow_any_device: true }, devices: [] }),
  state('stale', 'Index behind', {
    index: INDEX && {
      ...INDEX,
      to_block: 23_950_000,
      complete: false,
      read_at: ago(0.2),
      error: UNREACHABLE,
    },
  }),
  state('new', 'Not read yet', { compose_hashes: [], devices: [], history: [], index: null }),
  state(
    'unreachable',
    'Network unreachable',
    {
      policy: null,
      error: UNREACHABLE,
      compose_hashes: CONTRACT.compose_hashes.map((entry) => ({ ...entry, allowed: null })),
      devices: CONTRACT.devices.map((entry) => ({ ...entry, allowed: null })),
    },
    { ...ALLOWED, is_allowed: false, device_id_allowed: null, error: UNREACHABLE },
  ),
];
