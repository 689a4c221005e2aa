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

/** Returns the unlocked vault's keys; null if locked. */
export function openedVault(): VaultKeys | null {
  if (opened && performance.now() > opened.until) closeVault();
  return opened?.keys ?? null;
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
