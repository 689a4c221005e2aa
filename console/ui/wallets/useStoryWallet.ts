import { useLayoutEffect } from 'react';
import { announcedWallet } from '../../lib/wallets/provider';
import { storyWallet, type Behavior } from '../../lib/wallets/storyWallet';
import { offerOnly } from './discovery';

let chosen: Behavior = 'sends';
const wallet = announcedWallet({
  info: { uuid: 'preview', name: 'preview wallet', icon: '' },
  provider: storyWallet(() => chosen),
});

/** While a component preview is shown, its only wallet is a simulated one with the chosen behavior. */
export function useStoryWallet(behavior: Behavior): void {
  const isAbsent = behavior === 'absent';
  useLayoutEffect(() => {
    chosen = behavior;
  }, [behavior]);
  // Runs before the preview's components look for wallets.
  useLayoutEffect(() => {
    offerOnly(isAbsent || !wallet ? [] : [wallet]);
    return () => offerOnly(null);
  }, [isAbsent]);
}
