import styled from '@emotion/styled';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { ChainDefinition } from '../../../lib/kms/chains';
import { castCommand, type ContractCall } from '../../../lib/kms/contractCalls';
import { CodeBlock } from '../../../ui/code/CodeBlock';
import { lazyWithRetry } from '../../../ui/lazyWithRetry';
import { color, space, type } from '../../../ui/theme';
import { CallDetails } from '../../../ui/wallets/CallDetails';

const SendWithWallet = lazyWithRetry(() =>
  import('../../../ui/wallets/SendWithWallet').then((m) => ({ default: m.SendWithWallet })),
);

const Stack = styled('div')({ display: 'grid', gap: space(3), minWidth: 0 });
const Text = styled('p')({ ...type.small, color: color.muted, overflowWrap: 'anywhere' });

/** The server's node may be a block behind the wallet's, and events are read only every few seconds. */
const AGAIN_MS = 5_000;

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
  sender?: Sender | undefined;
}

/** A change of an app's contract. Everything that was read from the chain is out of date afterwards. */
export function OwnerCall({ sender, ...props }: Props) {
  const queryClient = useQueryClient();
  const onDone = () => {
    const refresh = () => void queryClient.invalidateQueries();
    refresh();
    setTimeout(refresh, AGAIN_MS);
  };
  return sender ? (
    <OtherCall {...props} sender={sender} onDone={onDone} />
  ) : (
    <CallDetails {...props} onDone={onDone} />
  );
}

/** The same panel for a transaction that the owner can't send. */
function OtherCall({
  call,
  contract,
  chain,
  sender,
  onDone,
}: Props & { sender: Sender; onDone: () => void }) {
  const [isDone, setIsDone] = useState(false);
  return (
    <Stack>
      <Suspense>
        <SendWithWallet
          transaction={{ to: contract, data: call.data }}
          chain={chain}
          refusedAdvice={sender.advice}
          onDone={() => {
            setIsDone(true);
            onDone();
          }}
        />
      </Suspense>
      {!isDone && (
        <>
          <Text>
            With another wallet, send this transaction to {contract} on {chain.name} (chain {chain.id}) from{' '}
            {sender.account}, with no value.
          </Text>
          <CodeBlock title={`Data of ${call.signature}`} code={call.data} />
          <CodeBlock
            title="Command (Foundry)"
            code={castCommand(call, contract, chain.rpcUrls.default.http[0] ?? '')}
          />
        </>
      )}
    </Stack>
  );
}
