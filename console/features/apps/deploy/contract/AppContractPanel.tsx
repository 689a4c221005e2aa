import styled from '@emotion/styled';
import { Suspense, useState } from 'react';
import { deployAppCall, deployedApp, type DeployedApp } from '../../../../lib/kms/appAuth';
import type { ChainDefinition } from '../../../../lib/kms/chains';
import type { Made } from '../../../../lib/wallets/sendCall';
import { Button } from '../../../../ui/controls/Button';
import { CopyId } from '../../../../ui/data/CopyId';
import { KeyValue } from '../../../../ui/data/KeyValue';
import { Notice } from '../../../../ui/feedback/Notice';
import { Panel } from '../../../../ui/layout/Panel';
import { lazyWithRetry } from '../../../../ui/lazyWithRetry';
import { color, space, type } from '../../../../ui/theme';
import { OtherWallet } from './OtherWallet';
import type { Needed, SavedContract } from './savedContract';

// Only an app that a contract guards needs it.
const SendWithWallet = lazyWithRetry(() =>
  import('../../../../ui/wallets/SendWithWallet').then((m) => ({ default: m.SendWithWallet })),
);

const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });
const Text = styled('p')({ ...type.small, color: color.muted, maxWidth: '72ch' });
const Actions = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });

interface Props {
  needed: Needed;
  chain: ChainDefinition;
  /** What this browser did for this deployment before. */
  saved: SavedContract;
  onSave: (saved: SavedContract) => void;
  onDeployed: (app: DeployedApp) => void;
  onStop: () => void;
}

/** The step of a deployment in which its owner deploys the contract that decides what may run as this app. */
export function AppContractPanel({ needed, chain, saved: before, onSave, onDeployed, onStop }: Props) {
  const [saved, setSaved] = useState(before);
  // Transactions of this visit that deployed no contract.
  const [missing, setMissing] = useState(0);
  const isMissing = missing > 0;
  const { kms_contract_address: kms, compose_hash, device_id } = needed;
  const keep = (next: SavedContract) => {
    setSaved(next);
    onSave(next);
  };
  const finish = (app: DeployedApp) => {
    keep({ ...saved, app });
    onDeployed(app);
  };
  const made = ({ logs }: Made) => {
    const app = deployedApp(logs, kms);
    if (app) finish(app);
    else setMissing((count) => count + 1);
  };
  return (
    <Panel
      title="Deploy the app’s contract"
      subtitle={`The KMS gives keys only to what a contract on ${chain.name} allows. The account that deploys it owns it, and alone decides which compose files run as this app.`}
      framed
    >
      <Stack>
        <KeyValue
          facts={[
            { label: 'Network', value: `${chain.name} (${chain.id})` },
            { label: 'KMS contract', value: <CopyId id={kms} what="KMS contract" most={14} /> },
            {
              label: 'Compose hash to allow',
              value: <CopyId id={compose_hash} what="compose hash" most={14} />,
            },
            { label: 'Device to allow', value: <CopyId id={device_id} what="device ID" most={14} /> },
          ]}
        />
        {saved.app && (
          <Notice
            tone="ok"
            title="You deployed a contract for this app."
            action={
              <Actions>
                <Button onClick={() => saved.app && onDeployed(saved.app)}>Use it</Button>
                <Button onClick={() => keep({})}>Deploy another</Button>
              </Actions>
            }
          >
            <CopyId id={`0x${saved.app.app_id}`} what="app contract" />
          </Notice>
        )}
        {isMissing && (
          <Notice tone="attention" title="The transaction deployed no contract here.">
            It is in a block, but the KMS contract reported no new app. Enter the contract’s address below if
            you know it, or send the transaction again.
          </Notice>
        )}
        {saved.hash !== undefined && !saved.app && !isMissing && (
          <Notice
            tone="progress"
            title="A transaction was sent before."
            action={<Button onClick={() => keep({})}>Send another</Button>}
          >
            <CopyId id={saved.hash} what="transaction" />
          </Notice>
        )}
        {!saved.app && (
          <Suspense>
            <SendWithWallet
              // Starts over where another transaction is needed.
              key={`${saved.hash ?? 'new'} ${missing}`}
              transaction={{ to: kms, data: (owner) => deployAppCall({ ...needed, owner }).data }}
              chain={chain}
              sent={isMissing ? undefined : saved.hash}
              onSent={(hash) => onSave({ hash })}
              onDone={made}
            />
          </Suspense>
        )}
        <OtherWallet needed={needed} chain={chain} onDeployed={finish} />
        <Text>
          Nothing runs before the contract is in a block. You can leave this page: deploying the same form
          again continues from here.
        </Text>
        <Actions>
          <Button onClick={onStop}>Stop</Button>
        </Actions>
      </Stack>
    </Panel>
  );
}
