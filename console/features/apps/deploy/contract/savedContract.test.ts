import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Provision } from '../../../../../generated/api/types.gen';
import { writeStored } from '../../../../ui/stored';
import {
  contractOf,
  contractOfOtherDevice,
  forgetContract,
  saveContract,
  savedContract,
  sentBefore,
  type Needed,
} from './savedContract';

const needed: Needed = {
  chain_id: 8453,
  kms_contract_address: `0x${'A1'.repeat(20)}`,
  compose_hash: 'bb'.repeat(32),
  device_id: '1f'.repeat(32),
};
const hash = `0x${'9'.repeat(64)}`;
const app = { app_id: 'ab'.repeat(20), deployer_address: `0x${'f1'.repeat(20)}` };

beforeEach(() => writeStored('app-contracts', '[]'));
afterEach(() => vi.unstubAllGlobals());

it('restores the transaction and the contract, for this deployment only', () => {
  expect(savedContract(needed)).toEqual({});
  saveContract(needed, { hash });
  expect(savedContract({ ...needed, kms_contract_address: `0x${'a1'.repeat(20)}` })).toEqual({ hash });
  saveContract(needed, { hash, app });
  expect(savedContract(needed)).toEqual({ hash, app });
  for (const other of [{ chain_id: 1 }, { compose_hash: 'cc'.repeat(32) }, { device_id: '2f'.repeat(32) }])
    expect(savedContract({ ...needed, ...other })).toEqual({});
});

it('forgets one deployment and keeps the others', () => {
  saveContract(needed, { hash, app });
  saveContract({ ...needed, chain_id: 1 }, { hash });
  forgetContract(needed);
  expect(savedContract(needed)).toEqual({});
  expect(savedContract({ ...needed, chain_id: 1 })).toEqual({ hash });
});

it('finds the same app’s contract for another device, until an app uses it', () => {
  const elsewhere = { ...needed, device_id: '2f'.repeat(32) };
  expect(contractOfOtherDevice(elsewhere)).toBeNull();
  // A transaction alone may not have deployed anything.
  saveContract(needed, { hash });
  expect(contractOfOtherDevice(elsewhere)).toBeNull();
  saveContract(needed, { hash, app });
  expect(contractOfOtherDevice(needed)).toBeNull();
  for (const other of [{ chain_id: 1 }, { compose_hash: 'cc'.repeat(32) }])
    expect(contractOfOtherDevice({ ...elsewhere, ...other })).toBeNull();
  expect(contractOfOtherDevice(elsewhere)).toEqual(app);
  saveContract(elsewhere, { app });
  forgetContract(elsewhere, app.app_id);
  expect(contractOfOtherDevice(elsewhere)).toBeNull();
  expect(savedContract(needed)).toEqual({});
});

it('picks up another tab’s progress, and isn’t interrupted by this tab’s own', () => {
  const shared = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => shared.get(key) ?? null,
    setItem: (key: string, value: string) => void shared.set(key, value),
  });
  const other = (text: object) => shared.set('teehouse:app-contracts', JSON.stringify(text));
  const key = [needed.chain_id, needed.kms_contract_address, needed.compose_hash, needed.device_id]
    .join(' ')
    .toLowerCase();
  saveContract({ ...needed, chain_id: 1 }, { hash });
  other([{ key, saved: { hash } }, ...(JSON.parse([...shared.values()][0] ?? '[]') as object[])]);
  expect(savedContract(needed)).toEqual({ hash });
  expect(savedContract({ ...needed, chain_id: 1 })).toEqual({ hash });
  expect(sentBefore(savedContract(needed).hash, null)).toBe(hash);
  // This page sends a transaction, then replaces it, while it waits for the other tab's.
  const own = `0x${'8'.repeat(64)}`;
  saveContract(needed, { hash: own });
  expect(sentBefore(savedContract(needed).hash, { hash: own, before: hash })).toBe(hash);
  expect(sentBefore(savedContract(needed).hash, { hash: own, before: undefined })).toBeUndefined();
  other([{ key, saved: { hash, app } }]);
  expect(savedContract(needed)).toEqual({ hash, app });
  expect(sentBefore(savedContract(needed).hash, { hash: own, before: undefined })).toBe(hash);
  forgetContract(needed);
  expect(savedContract(needed)).toEqual({});
  expect(sentBefore(undefined, { hash: own, before: hash })).toBeUndefined();
});

it('reads contracts stored by an earlier version: an object, newest last', () => {
  const of = (device: string) =>
    [needed.chain_id, needed.kms_contract_address, needed.compose_hash, device].join(' ').toLowerCase();
  const later = { ...app, app_id: 'cd'.repeat(20) };
  const earlier = JSON.stringify({
    [of(needed.device_id)]: { hash, app },
    [of('3f'.repeat(32))]: { app: later },
  });
  writeStored('app-contracts', earlier);
  expect(savedContract(needed)).toEqual({ hash, app });
  expect(contractOfOtherDevice({ ...needed, device_id: '2f'.repeat(32) })).toEqual(later);
  // The next save keeps them.
  saveContract({ ...needed, chain_id: 1 }, { hash });
  expect(savedContract(needed)).toEqual({ hash, app });
  forgetContract(needed);
  expect(savedContract(needed)).toEqual({});
  expect(savedContract({ ...needed, device_id: '3f'.repeat(32) })).toEqual({ app: later });
});

it('needs a contract only if the KMS has one', () => {
  const { chain_id, kms_contract_address, compose_hash, device_id } = needed;
  const provision = (kms_info: object | null, device: string | null = device_id) =>
    ({ kms_info, compose_hash, device_id: device }) as unknown as Provision;
  expect(contractOf(provision({ chain_id, kms_contract_address }))).toEqual(needed);
  expect(contractOf(provision({ chain_id: null, kms_contract_address: null }))).toBeNull();
  expect(contractOf(provision({ chain_id, kms_contract_address }, null))).toBeNull();
  expect(contractOf(provision({ chain_id, kms_contract_address }, 'no hex'))).toBeNull();
  expect(contractOf(provision({ chain_id, kms_contract_address: '0x12' }))).toBeNull();
  expect(contractOf(provision(null))).toBeNull();
});

it('forgets the oldest entries', () => {
  for (let chain_id = 1; chain_id <= 21; chain_id += 1) saveContract({ ...needed, chain_id }, { hash });
  expect(savedContract({ ...needed, chain_id: 1 })).toEqual({});
  expect(savedContract({ ...needed, chain_id: 21 })).toEqual({ hash });
});

it.each(['no JSON', '{}', '7', 'null', '{"x":{"hash":1}}', '[{"key":"x"},{"key":1,"saved":{"hash":1}}]'])(
  'survives a damaged store: %s',
  (text) => {
    writeStored('app-contracts', text);
    expect(savedContract(needed)).toEqual({});
  },
);

it('ignores stored values that aren’t addresses or hashes', () => {
  saveContract(needed, { hash: 'javascript:', app: { app_id: 'x', deployer_address: 'y' } });
  expect(savedContract(needed)).toEqual({});
});
