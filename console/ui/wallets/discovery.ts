import { announcedWallet, type Wallet } from '../../lib/wallets/provider';

const MAX_WALLETS = 20;

let wallets: readonly Wallet[] = [];
/** Set in a component preview, which must not contact the visitor's own wallets. */
let only: readonly Wallet[] | null = null;
const listeners = new Set<() => void>();
let isListening = false;

/** Calls `listener` whenever a wallet announces itself. Asks wallets already on the page to do so. */
export function subscribeWallets(listener: () => void): () => void {
  listeners.add(listener);
  if (!isListening) {
    isListening = true;
    window.addEventListener('eip6963:announceProvider', (event) => {
      const wallet = announcedWallet((event as CustomEvent<unknown>).detail);
      if (!wallet || wallets.length >= MAX_WALLETS || wallets.some(({ uuid }) => uuid === wallet.uuid))
        return;
      wallets = [...wallets, wallet];
      for (const each of listeners) each();
    });
  }
  if (!only) window.dispatchEvent(new Event('eip6963:requestProvider'));
  return () => listeners.delete(listener);
}

export const knownWallets = (): readonly Wallet[] => only ?? wallets;

/** Whether a component preview is shown, whose wallet sends nothing. */
export const isPreview = (): boolean => only !== null;

/** Offers these wallets instead of the announced ones; null ends that. */
export function offerOnly(offered: readonly Wallet[] | null): void {
  only = offered;
  for (const each of listeners) each();
}
