import { useEffect } from 'react';
import { storyWallet, type Behavior } from '../../lib/wallets/storyWallet';

let chosen: Behavior = 'sends';
const detail = {
  info: { uuid: 'preview', name: 'preview wallet', icon: '' },
  provider: storyWallet(() => chosen),
};
const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));

/** Announces a wallet that behaves as chosen, while a component preview is shown. */
export function useStoryWallet(behavior: Behavior): void {
  useEffect(() => {
    chosen = behavior;
  }, [behavior]);
  useEffect(() => {
    window.addEventListener('eip6963:requestProvider', announce);
    return () => window.removeEventListener('eip6963:requestProvider', announce);
  }, []);
}
