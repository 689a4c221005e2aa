import { useSyncExternalStore } from 'react';
import type { Wallet } from '../../lib/wallets/provider';
import { knownWallets, subscribeWallets } from './discovery';

/** Returns the browser's announced wallets. */
export const useWallets = (): readonly Wallet[] =>
  useSyncExternalStore(subscribeWallets, knownWallets, knownWallets);
