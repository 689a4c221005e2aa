import { queryOptions } from '@tanstack/react-query';
import { getVaultOptions } from '../../generated/api/@tanstack/react-query.gen';
import { getVault, listSecretCopies, putSecretCopy } from '../../generated/api/sdk.gen';
import type { SecretCopy } from '../../generated/api/types.gen';
import type { EnvPair } from '../lib/envRules';
import type { VaultKeys } from '../lib/vault';

/* What the vault says to the server. Apart from vault.ts, which every first page loads. */

/** Whether the person has a vault, and how it opens. Asked anew by every visit: it is also changed from elsewhere. */
export const vaultOptions = () => queryOptions({ ...getVaultOptions(), staleTime: 0 });

const within = (teamSlug: string, app_id: string) => ({
  path: { app_id },
  headers: { 'X-Workspace': teamSlug },
  throwOnError: true as const,
});

const PIN = 'teehouse:vault:';

/**
 * The vault's public key, if it is the one this browser knows. A server that exchanged it could read every copy made
 * from then on, so the first key seen for a person is remembered here, and replaced only when they open or set up another.
 */
export function isKnownVaultKey(user_id: string, public_key: string): boolean {
  try {
    const known = localStorage.getItem(PIN + user_id);
    if (known === null) localStorage.setItem(PIN + user_id, public_key);
    return known === null || known === public_key;
  } catch {
    return true; // no storage in this browser: nothing to compare with
  }
}

/** After the person opened or made it: the private key proves that the public one is theirs. */
export function rememberVaultKey(user_id: string, public_key: string): void {
  try {
    localStorage.setItem(PIN + user_id, public_key);
  } catch {
    // as above
  }
}

export type CopyKept = 'kept' | 'no_vault' | 'other_key';

/** Keeps a second copy beside an environment that was just sent. Needs no open vault. */
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
  const { envDigest, sealCopy } = await import('../lib/vault');
  const env_digest = await envDigest(encrypted_env);
  const ciphertext = await sealCopy(env, vault.public_key, { app_id, env_digest });
  await putSecretCopy({
    ...within(teamSlug, app_id),
    body: { ciphertext, env_digest, public_key: vault.public_key },
  });
  return 'kept';
}

/** The copies of an app, newest first. */
export const readCopies = async (teamSlug: string, app_id: string): Promise<SecretCopy[]> =>
  (await listSecretCopies(within(teamSlug, app_id))).data.items;

/** Opens a copy with the open vault. @throws {VaultError} */
export async function openCopyOf(app_id: string, copy: SecretCopy, keys: VaultKeys): Promise<EnvPair[]> {
  const { openCopy } = await import('../lib/vault');
  return openCopy(copy.ciphertext, keys, { app_id, env_digest: copy.env_digest });
}
