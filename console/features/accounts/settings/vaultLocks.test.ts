import { expect, it } from 'vitest';
import type { VaultLock } from '../../../../generated/api/types.gen';
import { lockActions } from './vaultLocks';

const passphrase = { id: 'vlk_1', kind: 'passphrase', name: 'Passphrase' } as VaultLock;
const passkey = { id: 'vlk_2', kind: 'passkey', name: 'Passkey' } as VaultLock;

it('offers to remove an unlock method only if another one is left', () => {
  const [only] = lockActions([passphrase], () => undefined);
  expect(only?.disabledReason).toMatch(/only unlock method/);
  for (const action of lockActions([passphrase, passkey], () => undefined))
    expect(action).not.toHaveProperty('disabledReason');
});
