import type { VaultKeys } from '../lib/secrets/vault';

/** Tasks of the vault dialog. Resolves to null if the user cancels. */
export type VaultQuestion = 'open' | 'set_up' | 'add_way';
type Ask = (question: VaultQuestion) => Promise<VaultKeys | null>;

/** The vault locks after the lifetime of a step-up confirmation, and when the page reloads. */
const OPEN_MS = 15 * 60_000;

let host: Ask | undefined;
let asking: Promise<VaultKeys | null> | undefined;
let opened: { keys: VaultKeys; until: number } | undefined;

/** Registers the page's vault dialog. @returns a function that unregisters it */
export function hostVault(ask: Ask): () => void {
  host = ask;
  return () => {
    if (host === ask) host = undefined;
  };
}

/** Returns the unlocked vault's keys, which are erased when it locks; null if locked. */
function openedVault(): VaultKeys | null {
  if (opened && performance.now() > opened.until) closeVault();
  return opened?.keys ?? null;
}

/**
 * Returns the keys of the unlocked vault with this public key, as a copy that stays valid when the vault locks; null if
 * it is locked or was replaced by this one in another tab. Erased keys or another vault's, wrapped for a new unlock
 * method, would open nothing.
 */
export function copyVaultKeys(public_key: string): VaultKeys | null {
  const keys = openedVault();
  return keys?.public_key === public_key ? { public_key, private_key: keys.private_key.slice() } : null;
}

export function closeVault(): void {
  opened?.keys.private_key.fill(0);
  opened = undefined;
}

/** Unlocks the vault, prompting if it is locked. Concurrent callers share one prompt. */
export async function askVault(question: VaultQuestion): Promise<VaultKeys | null> {
  const already = openedVault();
  if (already && question === 'open') return already;
  if (!host) return null;
  asking ??= host(question).finally(() => {
    asking = undefined;
  });
  const keys = await asking;
  if (keys) opened = { keys, until: performance.now() + OPEN_MS };
  return keys;
}
