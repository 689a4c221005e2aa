import { useEffect } from 'react';
import { chainById } from '../../../lib/kms/chains';
import { storyWallet, type Behavior } from '../../../lib/wallets/storyWallet';
import { ContractView } from './ContractView';
import type { ContractState } from './storyData';

let chosen: Behavior = 'sends';
const detail = {
  info: { uuid: 'preview', name: 'preview wallet', icon: '' },
  provider: storyWallet(() => chosen),
};
const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));

/** The contract's screen with sample data; its changes go to a wallet that behaves as told. */
export function ContractStory({ state, behavior }: { state: ContractState; behavior: Behavior }) {
  useEffect(() => {
    chosen = behavior;
  }, [behavior]);
  useEffect(() => {
    window.addEventListener('eip6963:requestProvider', announce);
    return () => window.removeEventListener('eip6963:requestProvider', announce);
  }, []);
  const chain = chainById(state.contract.chain_id);
  return chain ? <ContractView contract={state.contract} chain={chain} verdict={state.verdict} /> : null;
}
