import { useEffect, useState } from 'react';
import type { DeployedApp } from '../../../../lib/kms/appAuth';
import { chainNamed, type ChainName } from '../../../../lib/kms/chains';
import { STORY_KMS, type Behavior } from '../../../../lib/wallets/storyWallet';
import { Button } from '../../../../ui/controls/Button';
import { CopyId } from '../../../../ui/data/CopyId';
import { Notice } from '../../../../ui/feedback/Notice';
import { useStoryWallet } from '../../../../ui/wallets/useStoryWallet';
import { AppContractPanel } from './AppContractPanel';
import type { SavedContract } from './savedContract';

interface DeployState {
  id: string;
  name: string;
  chain: ChainName;
  saved: SavedContract;
  /** Whether the contract is found on the chain. */
  isFound?: boolean;
  /** Whether it was deployed for an earlier reservation with another device. */
  isElsewhere?: boolean;
  /** Successive states saved by another tab for the same deployment. */
  otherTab?: readonly SavedContract[];
}

const OTHER_TAB_MS = 4_000;

const HASH = `0x${'9a8b7c6d5e4f3021'.repeat(4)}`;
const APP = {
  app_id: '50b0ffd2d4bd4b8ec1f01d8aa23e5b0d2f6c8cc1',
  deployer_address: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
};
const FOUND = { ...APP, owner: APP.deployer_address };

/** Knows one contract and the transaction that deployed it. */
async function check(contract: string) {
  if ([`0x${APP.app_id}`, HASH].includes(contract.toLowerCase())) return FOUND;
  throw new Error(`There is no contract at ${contract} on chain 31337 yet.`);
}

export const deployStates: readonly DeployState[] = [
  { id: 'new', name: 'Not sent yet', chain: 'local', saved: {} },
  { id: 'sent', name: 'Sent in an earlier visit', chain: 'local', saved: { hash: HASH } },
  { id: 'deployed', name: 'Deployed in an earlier visit', chain: 'local', saved: { hash: HASH, app: APP } },
  { id: 'named', name: 'Named in an earlier visit', chain: 'local', saved: { app: APP } },
  { id: 'device', name: 'Deployed for another device', chain: 'local', saved: {}, isElsewhere: true },
  {
    id: 'tabs',
    name: 'Deployed in another tab meanwhile',
    chain: 'local',
    saved: {},
    otherTab: [{ hash: HASH }, { hash: HASH, app: APP }],
  },
  { id: 'found', name: 'Found on the chain', chain: 'local', saved: {}, isFound: true },
  { id: 'ethereum', name: 'On Ethereum', chain: 'ethereum', saved: {} },
  { id: 'base', name: 'On Base', chain: 'base', saved: {} },
  { id: 'sepolia', name: 'On Sepolia', chain: 'sepolia', saved: {} },
];

/** The contract step with sample data; the transaction goes to a simulated wallet. */
export function DeployContractStory({ state, behavior }: { state: DeployState; behavior: Behavior }) {
  useStoryWallet(behavior);
  const [end, setEnd] = useState<DeployedApp | 'stopped' | null>(null);
  const [saved, setSaved] = useState(state.saved);
  useEffect(() => {
    const timers = state.otherTab?.map((next, i) => setTimeout(() => setSaved(next), OTHER_TAB_MS * (i + 1)));
    return () => timers?.forEach((timer) => clearTimeout(timer));
  }, [state]);
  const chain = chainNamed(state.chain);
  if (!chain) return null;
  const startOver = () => {
    setEnd(null);
    setSaved(state.saved);
  };
  if (end !== null)
    return (
      <Notice
        tone={end === 'stopped' ? 'neutral' : 'ok'}
        title={end === 'stopped' ? 'The deployment stopped.' : 'The deployment continues.'}
        action={<Button onClick={startOver}>Start over</Button>}
      >
        {end !== 'stopped' && <CopyId id={`0x${end.app_id}`} what="app contract" />}
      </Notice>
    );
  return (
    <AppContractPanel
      needed={{
        chain_id: chain.id,
        kms_contract_address: STORY_KMS,
        compose_hash: 'bb1f0c5d2a7e4936'.repeat(4),
        device_id: '1f2e3d4c5b6a7988'.repeat(4),
      }}
      chain={chain}
      saved={saved}
      otherDevice={state.isElsewhere === true ? APP : null}
      found={state.isFound === true ? FOUND : null}
      check={check}
      onOwner={() => undefined}
      onSave={setSaved}
      onDeployed={setEnd}
      onStop={() => setEnd('stopped')}
    />
  );
}
