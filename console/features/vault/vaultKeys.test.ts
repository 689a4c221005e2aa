import { afterEach, expect, test, vi } from 'vitest';
import { newVaultKeys, unwrapKeys, wrapKeys } from '../../lib/secrets/vault';
import { askVault, closeVault, copyVaultKeys, hostVault } from '../../api/vault';

let withdraw: (() => void) | undefined;
afterEach(() => {
  withdraw?.();
  closeVault();
  vi.useRealTimers();
});

test('an unlock method added while the vault locks itself still opens the vault', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const made = newVaultKeys();
  const { public_key } = made;
  withdraw = hostVault(async () => made);
  await askVault('open');
  // The dialog opens within the 15 minutes and is submitted after them.
  const keys = copyVaultKeys(public_key)!;
  vi.advanceTimersByTime(15 * 60_000 + 1);
  expect(copyVaultKeys(public_key)).toBeNull();
  const wrapping = new Uint8Array(32).fill(7);
  expect(unwrapKeys(public_key, wrapKeys(keys, wrapping), wrapping)).toEqual(keys);
  // The page's own copy is erased.
  expect(made.private_key).toEqual(new Uint8Array(32));
});

test('keys of a vault that was replaced in another tab are not used for the new one', async () => {
  withdraw = hostVault(async () => newVaultKeys());
  const old = (await askVault('open'))!;
  expect(copyVaultKeys(old.public_key)).toEqual(old);
  expect(copyVaultKeys(newVaultKeys().public_key)).toBeNull();
});
