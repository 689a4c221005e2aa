import styled from '@emotion/styled';
import { Suspense, useState } from 'react';
import type { ProvisionContract } from '../../../../../generated/api/types.gen';
import { deployAppCall, deployedApp, type DeployedApp } from '../../../../lib/kms/appAuth';
import type { ChainDefinition } from '../../../../lib/kms/chains';
import type { EstimateFee } from '../../../../lib/wallets/fee';
import type { Made } from '../../../../lib/wallets/sendCall';
import { Button } from '../../../../ui/controls/Button';
import { CopyId } from '../../../../ui/data/CopyId';
import { KeyValue } from '../../../../ui/data/KeyValue';
import { Notice } from '../../../../ui/feedback/Notice';
import { Panel } from '../../../../ui/layout/Panel';
import { lazyWithRetry } from '../../../../ui/lazyWithRetry';
import { color, space, type } from '../../../../ui/theme';
import { KnownContract } from './KnownContract';
import type { CheckContract } from './naming';
import { OtherDevice } from './OtherDevice';
import { OtherWallet } from './OtherWallet';
import { sentBefore, type Needed, type OwnTransaction, type SavedContract } from './savedContract';

// Only apps guarded by a contract need it.
const SendWithWallet = lazyWithRetry(() =>
  import('../../../../ui/wallets/SendWithWallet').then((m) => ({ default: m.SendWithWallet })),
);

const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });
const Text = styled('p')({ ...type.small, color: color.muted, maxWidth: '72ch' });
const Actions = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });

interface Props {
  needed: Needed;
  chain: ChainDefinition;
  /** This browser's earlier steps for this deployment, including those on this page. */
  saved: SavedContract;
  /** A contract that this browser deployed for the same compose hash, but for another host's device ID. */
  otherDevice?: DeployedApp | null;
  /** An on-chain contract of the entered owner that allows the compose hash and belongs to no app yet. */
  found: ProvisionContract | null;
  check: CheckContract;
  /** Estimates the fee without a wallet. */
  estimate?: EstimateFee;
  /** Called with the account that will own the contract, once one is entered; null when it is removed. */
  onOwner: (owner: string | null) => void;
  onSave: (saved: SavedContract) => void;
  onDeployed: (app: DeployedApp) => void;
  onStop: () => void;
}

/** The deployment step in which the owner deploys the contract that decides what may run as this app. */
export function AppContractPanel({ saved, otherDevice = null, onSave, onDeployed, onStop, ...step }: Props) {
  const { needed, chain, check } = step;
  const [other, setOther] = useState(otherDevice);
  const finish = (next: SavedContract & { app: DeployedApp }) => {
    onSave(next);
    onDeployed(next.app);
  };
  const { hash, app } = saved;
  return (
    <Panel
      title="Deploy the app’s contract"
      subtitle={`The KMS releases keys only if a contract on ${chain.name} allows it. Only the contract’s owner decides which Compose files run as this app.`}
      framed
    >
      <Stack>
        <KeyValue
          facts={[
            { label: 'Network', value: `${chain.name} (${chain.id})` },
            {
              label: 'KMS contract',
              value: <CopyId id={needed.kms_contract_address} what="KMS contract" most={14} />,
            },
            {
              label: 'Compose hash to allow',
              value: <CopyId id={needed.compose_hash} what="compose hash" most={14} />,
            },
            {
              label: 'Device to allow',
              value: <CopyId id={needed.device_id} what="device ID" most={14} />,
            },
          ]}
        />
        {app ? (
          <KnownContract
            title={
              hash === undefined
                ? 'You chose a contract for this app.'
                : 'You deployed a contract for this app.'
            }
            app_id={app.app_id}
            other={<Button onClick={() => onSave({})}>Use another</Button>}
            check={check}
            onUse={onDeployed}
          />
        ) : other && hash === undefined ? (
          <OtherDevice
            {...{ needed, chain, check, estimate: step.estimate }}
            app={other}
            onOther={() => setOther(null)}
            onUse={(used) => finish({ app: used })}
          />
        ) : (
          <NewContract {...step} hash={hash} onSave={onSave} onFinish={finish} />
        )}
        <Text>
          The app starts after the contract is in a block. You can leave this page; deploy the same form again
          to continue from here.
        </Text>
        <Actions>
          <Button onClick={onStop}>Stop</Button>
        </Actions>
      </Stack>
    </Panel>
  );
}

interface NewProps extends Pick<
  Props,
  'needed' | 'chain' | 'found' | 'check' | 'estimate' | 'onOwner' | 'onSave'
> {
  /** Hash of the last transaction sent. */
  hash: string | undefined;
  onFinish: (saved: SavedContract & { app: DeployedApp }) => void;
}

/** The options: deploying a contract, or entering an existing one. */
function NewContract({ needed, chain, found, check, estimate, hash, ...props }: NewProps) {
  const { onOwner, onSave, onFinish } = props;
  const [own, setOwn] = useState<OwnTransaction | null>(null);
  const before = sentBefore(hash, own);
  // Set if the transaction deployed no contract.
  const [missing, setMissing] = useState<string | null>(null);
  const isMissing = missing !== null && hash === missing;
  const kms = needed.kms_contract_address;
  const sent = (last: string) => {
    setOwn({ hash: last, before });
    onSave({ hash: last });
  };
  const made = ({ hash: last, logs }: Made) => {
    const app = deployedApp(logs, kms);
    if (app) return onFinish({ hash: last, app });
    setMissing(last);
    sent(last);
  };
  return (
    <>
      {isMissing && (
        <Notice tone="attention" title="The transaction didn’t deploy a contract.">
          It is in a block, but the KMS contract reported no new app. Enter the contract’s address below if
          you know it, or send the transaction again.
        </Notice>
      )}
      {before !== undefined && !isMissing && (
        <Notice
          tone="progress"
          title="A transaction was already sent."
          action={<Button onClick={() => onSave({})}>Send another</Button>}
        >
          <CopyId id={before} what="transaction" />
        </Notice>
      )}
      {found?.app_id != null && (
        <KnownContract
          key={found.app_id}
          title="This owner already has a contract that allows this compose hash."
          app_id={found.app_id}
          check={check}
          onUse={(app) => onFinish({ app })}
        />
      )}
      <Suspense>
        <SendWithWallet
          // Resets if another transaction is needed.
          key={`${before ?? 'new'} ${missing ?? ''}`}
          transaction={{ to: kms, data: (owner) => deployAppCall({ ...needed, owner }).data }}
          chain={chain}
          estimate={estimate}
          refusedAdvice="Try another account. If the KMS contract rejects that too, contact the operator of this cloud."
          otherWay="use another wallet as described below"
          sent={isMissing ? undefined : before}
          onSent={sent}
          onDone={made}
        />
      </Suspense>
      <OtherWallet
        needed={needed}
        chain={chain}
        open={isMissing}
        check={check}
        onOwner={onOwner}
        onNamed={(app) => onFinish({ app })}
      />
    </>
  );
}
