import { useSyncExternalStore } from 'react';
import type { Wallet } from '../../lib/wallets/provider';
import { knownWallets, subscribeWallets } from './discovery';

/** Returns the browser's wallets that have announced themselves. */
export const useWallets = (): readonly Wallet[] =>
  useSyncExternalStore(subscribeWallets, knownWallets, knownWallets);
