import { chainById } from '../../../lib/kms/chains';
import type { Behavior } from '../../../lib/wallets/storyWallet';
import { useStoryWallet } from '../../../ui/wallets/useStoryWallet';
import { ContractView } from './ContractView';
import { storyCvms, type ContractState } from './storyData';

/** The contract's screen with sample data; its changes go to a simulated wallet. */
export function ContractStory({ state, behavior }: { state: ContractState; behavior: Behavior }) {
  useStoryWallet(behavior);
  const chain = chainById(state.contract.chain_id);
  return chain ? (
    <ContractView
      contract={state.contract}
      chain={chain}
      verdict={state.verdict}
      usage={{ cvms: storyCvms, problem: null }}
    />
  ) : null;
}
