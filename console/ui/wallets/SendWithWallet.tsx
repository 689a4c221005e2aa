import styled from '@emotion/styled';
import { useEffect, useRef, useState } from 'react';
import type { ChainDefinition } from '../../lib/kms/chains';
import { Spinner } from '../controls/Spinner';
import { CopyId } from '../data/CopyId';
import { ErrorNotice } from '../feedback/ErrorNotice';
import { Notice } from '../feedback/Notice';
import { Row } from '../layout/Row';
import { color, space, type } from '../theme';
import type { Wallet } from '../../lib/wallets/provider';
import type { EstimateFee } from '../../lib/wallets/fee';
import { followCall, sendCall, type Made, type Stage, type Transaction } from '../../lib/wallets/sendCall';
import { isOver, type WalletError } from '../../lib/wallets/walletError';
import { FeeLine } from './FeeLine';
import { useWallets } from './useWallets';
import { WalletButton } from './WalletButton';

const Stack = styled('div')({ display: 'grid', gap: space(3), minWidth: 0 });
const Text = styled('p')({ ...type.small, color: color.muted });

const STAGES: Readonly<Record<Stage, string>> = {
  connect: 'Connecting. Confirm in your wallet.',
  network: 'Switching networks. Confirm in your wallet.',
  check: 'Checking that the contract accepts it.',
  confirm: 'Confirm the transaction in your wallet. A hardware wallet may take a minute.',
  mining: 'Sent. Waiting for a block.',
};

type State =
  | { is: 'idle' }
  | { is: 'sending'; stage: Stage; hash: string | null }
  | { is: 'done'; hash: string }
  /** @property hash of the failed transaction, if one was sent */
  | { is: 'failed'; error: WalletError; hash: string | null };

/**
 * Sends a transaction with one of the browser's wallets, discovered by EIP-6963. Their keys never reach this page.
 */
export function SendWithWallet({
  transaction,
  chain,
  sent,
  estimate,
  refusedAdvice,
  otherWay = 'send the transaction below with any wallet',
  onBusy,
  onSent,
  onOver,
  onDone,
}: {
  transaction: Transaction;
  chain: ChainDefinition;
  /** Estimates the fee without a wallet. */
  estimate?: EstimateFee | undefined;
  /** Advice if the contract refuses it, unless the reason is that its owner must send it. */
  refusedAdvice?: string | undefined;
  /** The alternative for users without a wallet in this browser. */
  otherWay?: string;
  /** Hash of the transaction, if an earlier visit sent it: then it is only awaited. */
  sent?: string | undefined;
  /**
   * Called with true when a wallet is asked, and with false when nothing is in flight anymore, so that another
   * transaction may be shown.
   */
  onBusy?: ((isBusy: boolean) => void) | undefined;
  onSent?: (hash: string, from: string) => void;
  /** Called when a sent transaction has failed, so that another one can be sent. */
  onOver?: () => void;
  onDone: (made: Made) => void;
}) {
  const wallets = useWallets();
  const [state, setState] = useState<State>({ is: 'idle' });
  // Hash of a transaction that may still be mined: a second one would do the same again.
  const [waiting, setWaiting] = useState(sent);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const send = async ({ provider }: Wallet) => {
    const { signal } = (abort.current = new AbortController());
    let last = waiting ?? null;
    onBusy?.(true);
    const onStage = (stage: Stage, hash: string | null = null) => setState({ is: 'sending', stage, hash });
    try {
      const keep = (hash: string, from: string) => {
        last = hash;
        setWaiting(hash);
        onSent?.(hash, from);
      };
      const options = { chain, onStage, signal, onSent: keep };
      const made = await (waiting === undefined
        ? sendCall(provider, transaction, options)
        : followCall(provider, waiting, options));
      setState({ is: 'done', hash: made.hash });
      onDone(made);
    } catch (error) {
      if (signal.aborted) return;
      const failed = error as WalletError;
      setState({ is: 'failed', error: failed, hash: isOver(failed) ? last : null });
      onBusy?.(last !== null && !isOver(failed));
      if (!isOver(failed)) return;
      setWaiting(undefined);
      onOver?.();
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
      <Notice tone="ok" title="The transaction is on-chain.">
        Transaction <CopyId id={state.hash} what="transaction" />
      </Notice>
    );
  return (
    <Stack>
      {state.is === 'failed' && (
        <ErrorNotice
          problem={{
            title: failureTitle(state, waiting !== undefined),
            message: state.error.message,
            suggestions: [
              (state.error.kind === 'reverted' ? refusedAdvice : undefined) ?? state.error.advice,
            ],
          }}
        />
      )}
      {state.is === 'failed' && state.hash !== null && state.error.kind === 'reverted' && (
        <Text>
          The network fee was charged: transaction <CopyId id={state.hash} what="transaction" />
        </Text>
      )}
      {wallets.length === 0 ? (
        <Text>No wallet was found in this browser. Install one and reload, or {otherWay}.</Text>
      ) : (
        <Row>
          {wallets.map((wallet, i) => (
            <WalletButton
              key={wallet.uuid}
              wallet={wallet}
              verb={waiting === undefined ? 'Send with' : 'Track with'}
              variant={i === 0 ? 'contained' : 'outlined'}
              onClick={() => void send(wallet)}
            />
          ))}
        </Row>
      )}
      {/* A refusal is already shown above. */}
      {waiting === undefined && !(state.is === 'failed' && state.error.kind === 'reverted') && (
        <FeeLine transaction={transaction} chain={chain} estimate={estimate} />
      )}
    </Stack>
  );
}

/** @param hash of the failed transaction, if one was sent @param isWaiting whether one may still be mined */
export function failureTitle(
  { error, hash }: { error: Pick<WalletError, 'kind'>; hash: string | null },
  isWaiting: boolean,
): string {
  if (isWaiting) return 'The transaction isn’t confirmed yet';
  if (hash === null)
    return error.kind === 'unclear' ? 'The transaction may have been sent' : 'The transaction wasn’t sent';
  return error.kind === 'replaced' ? 'The transaction was replaced' : 'The transaction failed';
}
