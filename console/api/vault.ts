import type { VaultKeys } from '../lib/vault';

/** What a page may ask the vault's dialog for. Null comes back when the person would rather not. */
export type VaultQuestion = 'open' | 'set_up' | 'add_way';
type Ask = (question: VaultQuestion) => Promise<VaultKeys | null>;

/** Open for as long as a confirmed session is: then it is asked for again. Reloading the page closes it too. */
const OPEN_MS = 15 * 60_000;

let host: Ask | undefined;
let asking: Promise<VaultKeys | null> | undefined;
let opened: { keys: VaultKeys; until: number } | undefined;

/** The one dialog of the page says how it asks. @returns how to withdraw it */
export function hostVault(ask: Ask): () => void {
  host = ask;
  return () => {
    if (host === ask) host = undefined;
  };
}

/** The keys of the open vault; null when it is closed. */
export function openedVault(): VaultKeys | null {
  if (opened && performance.now() > opened.until) closeVault();
  return opened?.keys ?? null;
}

export function closeVault(): void {
  opened?.keys.private_key.fill(0);
  opened = undefined;
}

/** Opens the vault, asking the person when it is closed; one question for everybody who waits. */
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
