import styled from '@emotion/styled';
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ChainDefinition } from '../../lib/kms/chains';
import { castCommand, commandRpc, type ContractCall } from '../../lib/kms/contractCalls';
import type { EstimateFee } from '../../lib/wallets/fee';
import { CodeBlock } from '../code/CodeBlock';
import { Button } from '../controls/Button';
import { CopyId } from '../data/CopyId';
import { Notice } from '../feedback/Notice';
import { lazyWithRetry } from '../lazyWithRetry';
import { color, space, type } from '../theme';
import { SafeFileButton } from './SafeFileButton';
import { forgetSentCall, onSentElsewhere, saveSentCall, sentCall } from './sentCalls';

// Only an owner who changes the contract needs it.
const SendWithWallet = lazyWithRetry(() =>
  import('./SendWithWallet').then((m) => ({ default: m.SendWithWallet })),
);

const Stack = styled('div')({ display: 'grid', gap: space(3), minWidth: 0 });
const Text = styled('p')({ ...type.small, color: color.muted, overflowWrap: 'anywhere' });

/** An account other than the owner that must send a transaction. */
export interface Sender {
  account: string;
  /** What to do when the contract refuses another account. */
  advice: string;
}

interface Props {
  call: ContractCall;
  contract: string;
  chain: ChainDefinition;
  /** Who must send it, if it isn't the owner. */
  sender?: Sender | undefined;
  /** Estimates the fee by other means than a wallet. */
  estimate?: EstimateFee | undefined;
  /** Offers the change as a file for a Safe, which it names. */
  safeName?: string | undefined;
  /** Called when a wallet is asked, and with false when nothing is on its way anymore: another call may be shown. */
  onBusy?: ((isBusy: boolean) => void) | undefined;
  /** Called as soon as the transaction is sent, and with false if it has failed. */
  onSent?: (isSent: boolean) => void;
  /** Called when it is on the chain: what was read from there before is out of date. */
  onDone: () => void;
}

/**
 * A change as a transaction: through a wallet in this browser, or, until it is sent, as text for any other. One that an
 * earlier visit or another tab sent is waited for.
 */
export function CallDetails({ call, contract, chain, sender, estimate, safeName, ...on }: Props) {
  const { onBusy, onSent, onDone } = on;
  const { data } = call;
  const chain_id = chain.id;
  const id = { chain_id, contract, data };
  // Another visit's or tab's; what this one sends is followed where it was sent.
  const [before, setBefore] = useState(() => sentCall(id));
  const [isSent, setSent] = useState(before !== null);
  const [isDone, setDone] = useState(false);
  const keep = (now: boolean) => {
    setSent(now);
    onSent?.(now);
  };
  const over = () => {
    forgetSentCall(id);
    keep(false);
  };
  const startOver = (hash: string | null) => {
    setBefore(hash);
    setDone(false);
    keep(hash !== null);
  };
  const isBusy = useRef(false);
  const onOther = useEffectEvent((hash: string | null) => {
    // Its own is on its way, and waited for.
    if (isBusy.current) return;
    startOver(hash);
    // It may be on the chain by now.
    if (hash === null) onDone();
  });
  useEffect(
    () => onSentElsewhere({ chain_id, contract, data }, (hash) => onOther(hash), window),
    [chain_id, contract, data],
  );
  return (
    <Stack>
      {before !== null && isSent && !isDone && (
        <Notice
          tone="progress"
          title="A transaction was sent before."
          action={
            <Button
              onClick={() => {
                forgetSentCall(id);
                startOver(null);
              }}
            >
              Send another
            </Button>
          }
        >
          <CopyId id={before} what="transaction" />
        </Notice>
      )}
      <Suspense>
        <SendWithWallet
          // Starts over with what another tab sent.
          key={before ?? 'new'}
          transaction={{ to: contract, data: call.data }}
          chain={chain}
          estimate={estimate}
          refusedAdvice={sender?.advice}
          sent={before ?? undefined}
          onBusy={(now) => {
            isBusy.current = now;
            onBusy?.(now);
          }}
          onSent={(hash, from) => {
            saveSentCall(id, from, hash);
            keep(true);
          }}
          onOver={over}
          onDone={() => {
            forgetSentCall(id);
            setDone(true);
            onDone();
          }}
        />
      </Suspense>
      {/* A second one would do the same again, and cost as much. */}
      {!isSent && <OtherWays {...{ call, contract, chain, sender, safeName }} />}
    </Stack>
  );
}

function OtherWays({ call, contract, chain, sender, safeName }: Omit<Props, 'onDone'>) {
  return (
    <>
      <Text>
        With another wallet, send this transaction to {contract} on {chain.name} (chain {chain.id}) from{' '}
        {sender?.account ?? 'the owner’s account'}, with no value.
      </Text>
      <CodeBlock title={`Data of ${call.signature}`} code={call.data} />
      <CodeBlock title="Command (Foundry)" code={castCommand(call, contract, commandRpc(chain))} />
      {safeName !== undefined && (
        <div>
          <SafeFileButton calls={[call]} contract={contract} chain={chain} name={safeName} />
        </div>
      )}
    </>
  );
}
