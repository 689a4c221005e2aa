import styled from '@emotion/styled';
import { Suspense, useState } from 'react';
import type { ChainDefinition } from '../../lib/kms/chains';
import { castCommand, commandRpc, type ContractCall } from '../../lib/kms/contractCalls';
import type { EstimateFee } from '../../lib/wallets/fee';
import { CodeBlock } from '../code/CodeBlock';
import { Button } from '../controls/Button';
import { CopyId } from '../data/CopyId';
import { Notice } from '../feedback/Notice';
import { lazyWithRetry } from '../lazyWithRetry';
import { useStored, useStoredChange } from '../stored';
import { color, space, type } from '../theme';
import { SafeFileButton } from './SafeFileButton';
import {
  afterBusy,
  forgetSentCall,
  saveSentCall,
  SENT_CALLS,
  sentCall,
  startsOver,
  startWith,
} from './sentCalls';

// Needed only if an owner changes the contract.
const SendWithWallet = lazyWithRetry(() =>
  import('./SendWithWallet').then((m) => ({ default: m.SendWithWallet })),
);

const Stack = styled('div')({ display: 'grid', gap: space(3), minWidth: 0 });
const Text = styled('p')({ ...type.small, color: color.muted, overflowWrap: 'anywhere' });

/** An account other than the owner that must send a transaction. */
export interface Sender {
  account: string;
  /** Advice if the contract refuses another account. */
  advice: string;
}

interface Props {
  call: ContractCall;
  contract: string;
  chain: ChainDefinition;
  /** The required sender, if it isn't the owner. */
  sender?: Sender | undefined;
  /** Estimates the fee without a wallet. */
  estimate?: EstimateFee | undefined;
  /** Name of the file for a Safe; without it, none is offered. */
  safeName?: string | undefined;
  /**
   * Called with true when a wallet is asked, and with false when nothing is in flight anymore, so that another call
   * may be shown.
   */
  onBusy?: ((isBusy: boolean) => void) | undefined;
  /** Called as soon as the transaction is sent, and with false if it failed. */
  onSent?: (isSent: boolean) => void;
  /** Called when it is on the chain: everything read from there before is stale. */
  onDone: () => void;
}

/**
 * A change as a transaction: through a wallet in this browser or, until it is sent, as text for any other. Waits
 * for one that an earlier visit or another tab sent.
 */
export function CallDetails({ call, contract, chain, sender, estimate, safeName, ...on }: Props) {
  const { onBusy, onSent, onDone } = on;
  const id = { chain_id: chain.id, contract, data: call.data };
  const [list] = useStored(SENT_CALLS, '[]');
  const stored = sentCall(id, list);
  const [state, setState] = useState(() => startWith(sentCall(id)));
  const { before, is } = state;
  const startOver = (hash: string | null) => {
    setState(startWith(hash));
    onSent?.(hash !== null);
  };
  useStoredChange(stored, () => {
    if (!startsOver(state, stored)) return;
    startOver(stored);
    // It may be on the chain by now.
    if (stored === null) onDone();
  });
  return (
    <Stack>
      {before !== null && (is === 'before' || is === 'followed') && (
        <Notice
          tone="progress"
          title="A transaction was already sent."
          action={
            <Button
              onClick={() => {
                if (is === 'followed') onBusy?.(false);
                startOver(null);
                forgetSentCall(id);
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
          // Resets when another tab sends a transaction.
          key={before ?? 'new'}
          transaction={{ to: contract, data: call.data }}
          chain={chain}
          estimate={estimate}
          refusedAdvice={sender?.advice}
          sent={before ?? undefined}
          onBusy={(now) => {
            setState((last) => afterBusy(last, now));
            onBusy?.(now);
          }}
          onSent={(hash, from) => {
            setState({ before, is: 'sent' });
            saveSentCall(id, from, hash);
            onSent?.(true);
          }}
          onOver={() => {
            setState({ before, is: 'unsent' });
            forgetSentCall(id);
            onSent?.(false);
          }}
          onDone={() => {
            setState({ before, is: 'done' });
            forgetSentCall(id);
            onDone();
          }}
        />
      </Suspense>
      {/* A second one would do the same again, at the same cost. */}
      {(is === 'unsent' || is === 'asked') && <OtherWays {...{ call, contract, chain, sender, safeName }} />}
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
