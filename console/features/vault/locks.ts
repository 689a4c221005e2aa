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
import { importWithRetry } from '../../lib/importWithRetry';

/** Like the server's challenges. */
const ASK_MS = 5 * 60_000;

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

/**
 * Asks for any of the passkeys that open the vault; each has its own salt. Needs no challenge from the server: only the
 * PRF output is used, and a passkey opens the vault even after it was removed from the account. @throws {PasskeyError}
 */
export async function openWithPasskey(public_key: string, locks: readonly VaultLock[]): Promise<VaultKeys> {
  const { askForPrf } = await importWithRetry(() => import('../../lib/accounts/webauthn'));
  const byPasskey = new Map(
    locks.flatMap((lock) => (lock.credential_id ? [[lock.credential_id, lock]] : [])),
  );
  const salts = new Map([...byPasskey].map(([id, lock]) => [id, saltOf(lock)]));
  // With another verification, the PRF output would differ.
  const options = { challenge: randomSalt(), userVerification: 'required', timeout: ASK_MS };
  const { credential_id, prf } = await askForPrf(options, salts);
  const lock = byPasskey.get(credential_id);
  if (!lock) throw new VaultError('wrong_key', 'This passkey doesn’t unlock your vault.');
  return unwrapKeys(public_key, lock.wrapped_key, await passkeyKey(prf, lock.salt));
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
    importWithRetry(() => import('../../lib/accounts/webauthn')),
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
