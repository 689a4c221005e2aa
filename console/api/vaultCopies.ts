import { queryOptions } from '@tanstack/react-query';
import { getVaultOptions } from '../../generated/api/@tanstack/react-query.gen';
import { getVault, listSecretCopies, putSecretCopy } from '../../generated/api/sdk.gen';
import type { SecretCopy } from '../../generated/api/types.gen';
import type { EnvPair } from '../lib/compose/envRules';
import type { VaultKeys } from '../lib/secrets/vault';
import { importWithRetry } from '../lib/importWithRetry';

/* Vault requests, separate from vault.ts, which is part of the first chunk. */

/** The user's vault and its locks. Refetched on every visit, because other devices change it, too. */
export const vaultOptions = () => queryOptions({ ...getVaultOptions(), staleTime: 0 });

const within = (teamSlug: string, app_id: string) => ({
  path: { app_id },
  headers: { 'X-Workspace': teamSlug },
  throwOnError: true as const,
});

const PIN = 'teehouse:vault:';

/**
 * Returns whether the vault's public key is the one this browser knows. A server that swapped it could read every later
 * copy, so the first key seen for a user is stored here and replaced only when they unlock or create a vault.
 */
function isKnownVaultKey(user_id: string, public_key: string): boolean {
  if (hasVaultKeyChanged(user_id, public_key)) return false;
  rememberVaultKey(user_id, public_key);
  return true;
}

/** Returns whether this browser knows another public key of the user's vault. Unlocking the vault replaces it. */
export function hasVaultKeyChanged(user_id: string, public_key: string): boolean {
  try {
    const known = localStorage.getItem(PIN + user_id);
    return known !== null && known !== public_key;
  } catch {
    return false; // Without storage there is nothing to compare with.
  }
}

/** Called after the user unlocked or created the vault: the private key proves that the public one is theirs. */
export function rememberVaultKey(user_id: string, public_key: string): void {
  try {
    localStorage.setItem(PIN + user_id, public_key);
  } catch {
    // Without storage nothing can be remembered.
  }
}

export type CopyKept = 'kept' | 'no_vault' | 'other_key';

/** Saves a copy of an environment that was just sent. Doesn't require an unlocked vault. */
export async function keepCopy(
  user_id: string,
  teamSlug: string,
  app_id: string,
  env: readonly EnvPair[],
  encrypted_env: string,
): Promise<CopyKept> {
  const { vault } = (await getVault({ throwOnError: true })).data;
  if (vault === null) return 'no_vault';
  if (!isKnownVaultKey(user_id, vault.public_key)) return 'other_key';
  const { envDigest, sealCopy } = await importWithRetry(() => import('../lib/secrets/vault'));
  const env_digest = await envDigest(encrypted_env);
  const ciphertext = await sealCopy(env, vault.public_key, { app_id, env_digest });
  await putSecretCopy({
    ...within(teamSlug, app_id),
    body: { ciphertext, env_digest, public_key: vault.public_key },
  });
  return 'kept';
}

/** Returns the app's copies, newest first. */
export const readCopies = async (teamSlug: string, app_id: string): Promise<SecretCopy[]> =>
  (await listSecretCopies(within(teamSlug, app_id))).data.items;

/** Decrypts a copy with the unlocked vault. @throws {VaultError} */
export async function openCopyOf(app_id: string, copy: SecretCopy, keys: VaultKeys): Promise<EnvPair[]> {
  const { openCopy } = await importWithRetry(() => import('../lib/secrets/vault'));
  return openCopy(copy.ciphertext, keys, { app_id, env_digest: copy.env_digest });
}
