import type { CreateVaultLock, VaultLock } from '../../../generated/api/types.gen';
import { stepUpChallenge } from '../../api/authSteps';
import { hexToBytes } from '../../lib/bytes';
import {
  PASSPHRASE_ITERATIONS,
  passkeyKey,
  passphraseKey,
  randomSalt,
  unwrapKeys,
  VaultError,
  wrapKeys,
  type VaultKeys,
} from '../../lib/secrets/vault';

/** Tries every passphrase lock, since users don't remember which is which. @throws {VaultError} wrong_key */
export async function openWithPassphrase(
  public_key: string,
  locks: readonly VaultLock[],
  passphrase: string,
): Promise<VaultKeys> {
  let failure: unknown = new VaultError('wrong_key', 'This passphrase doesn’t unlock your vault.');
  for (const lock of locks) {
    try {
      const key = await passphraseKey(passphrase, lock.salt, lock.iterations ?? PASSPHRASE_ITERATIONS);
      return unwrapKeys(public_key, lock.wrapped_key, key);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** Tries the passkey locks one by one: each has its own salt, and the device picks the passkey. */
export async function openWithPasskey(public_key: string, locks: readonly VaultLock[]): Promise<VaultKeys> {
  const [{ options }, { askForPrf }] = await Promise.all([
    stepUpChallenge(),
    import('../../lib/accounts/webauthn'),
  ]);
  let failure: unknown = new VaultError('wrong_key', 'None of your passkeys unlocks this vault.');
  for (const lock of locks) {
    const allowCredentials = [{ type: 'public-key', id: lock.credential_id }];
    try {
      const { prf } = await askForPrf({ ...options, allowCredentials }, saltOf(lock));
      return unwrapKeys(public_key, lock.wrapped_key, await passkeyKey(prf, lock.salt));
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

const saltOf = ({ salt }: { salt: string }): Uint8Array => hexToBytes(salt) ?? new Uint8Array(32);

/** Creates a lock for a passphrase. */
export async function passphraseLock(keys: VaultKeys, passphrase: string): Promise<CreateVaultLock> {
  const salt = randomSalt();
  const key = await passphraseKey(passphrase, salt, PASSPHRASE_ITERATIONS);
  return {
    kind: 'passphrase',
    name: 'Passphrase',
    salt,
    iterations: PASSPHRASE_ITERATIONS,
    wrapped_key: wrapKeys(keys, key),
  };
}

/** Creates a lock for any of the user's passkeys. @throws {PasskeyError} */
export async function passkeyLock(keys: VaultKeys, name: string): Promise<CreateVaultLock> {
  const salt = randomSalt();
  const [{ options }, { askForPrf }] = await Promise.all([
    stepUpChallenge(),
    import('../../lib/accounts/webauthn'),
  ]);
  const { credential_id, prf } = await askForPrf(options, saltOf({ salt }));
  return {
    kind: 'passkey',
    name,
    salt,
    credential_id,
    wrapped_key: wrapKeys(keys, await passkeyKey(prf, salt)),
  };
}
