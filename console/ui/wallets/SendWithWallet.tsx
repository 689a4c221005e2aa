import styled from '@emotion/styled';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ChainDefinition } from '../../lib/kms/chains';
import { Button } from '../controls/Button';
import { Spinner } from '../controls/Spinner';
import { CopyId } from '../data/CopyId';
import { ErrorNotice } from '../feedback/ErrorNotice';
import { Notice } from '../feedback/Notice';
import { color, space, type } from '../theme';
import type { Wallet } from '../../lib/wallets/provider';
import { knownWallets, subscribeWallets } from './discovery';
import { followCall, sendCall, type Made, type Stage, type Transaction } from '../../lib/wallets/sendCall';
import type { WalletError } from '../../lib/wallets/walletError';

const Stack = styled('div')({ display: 'grid', gap: space(3) });
const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space(2) });
const Icon = styled('img')({ width: 16, height: 16, borderRadius: 3 });
const Text = styled('p')({ ...type.small, color: color.muted });

const STAGES: Readonly<Record<Stage, string>> = {
  connect: 'Connecting. Confirm it in your wallet.',
  network: 'Choosing the network. Confirm it in your wallet.',
  check: 'Checking that the contract accepts it.',
  confirm: 'Confirm the transaction in your wallet. A hardware wallet may take a minute.',
  mining: 'Sent. Waiting for a block.',
};

type State =
  | { is: 'idle' }
  | { is: 'sending'; stage: Stage; hash: string | null }
  | { is: 'done'; hash: string }
  | { is: 'failed'; error: WalletError };

/** Sends a transaction with one of the browser's wallets, found by EIP-6963. Their keys never reach this page. */
export function SendWithWallet({
  transaction,
  chain,
  sent,
  onSent,
  onDone,
}: {
  transaction: Transaction;
  chain: ChainDefinition;
  /** Hash of the transaction, if an earlier visit sent it: then it is only waited for. */
  sent?: string | undefined;
  onSent?: (hash: string) => void;
  onDone: (made: Made) => void;
}) {
  const wallets = useSyncExternalStore(subscribeWallets, knownWallets);
  const [state, setState] = useState<State>({ is: 'idle' });
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const send = async ({ provider }: Wallet) => {
    const { signal } = (abort.current = new AbortController());
    const onStage = (stage: Stage, hash: string | null = null) => setState({ is: 'sending', stage, hash });
    try {
      const options = { chain, onStage, signal, ...(onSent ? { onSent } : {}) };
      const made = await (sent === undefined
        ? sendCall(provider, transaction, options)
        : followCall(provider, sent, options));
      setState({ is: 'done', hash: made.hash });
      onDone(made);
    } catch (error) {
      if (!signal.aborted) setState({ is: 'failed', error: error as WalletError });
    }
  };

  if (state.is === 'sending')
    return (
      <Row role="status">
        <Spinner />
        <span>{STAGES[state.stage]}</span>
        {state.hash !== null && <CopyId id={state.hash} what="transaction" />}
      </Row>
    );
  if (state.is === 'done')
    return (
      <Notice tone="ok" title="It is on the chain.">
        Transaction <CopyId id={state.hash} what="transaction" />
      </Notice>
    );
  return (
    <Stack>
      {state.is === 'failed' && (
        <ErrorNotice
          problem={{
            title: 'The transaction wasn’t made',
            message: state.error.message,
            suggestions: [state.error.advice],
          }}
        />
      )}
      {wallets.length === 0 ? (
        <Text>
          No wallet was found in this browser. Install one and reload, or send the transaction below with any
          wallet.
        </Text>
      ) : (
        <Row>
          {wallets.map((wallet) => (
            <Button
              key={wallet.uuid}
              startIcon={wallet.icon === null ? undefined : <Icon src={wallet.icon} alt="" />}
              onClick={() => void send(wallet)}
            >
              {sent === undefined ? 'Send' : 'Wait'} with {wallet.name}
            </Button>
          ))}
        </Row>
      )}
    </Stack>
  );
}
