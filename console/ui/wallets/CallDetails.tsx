import styled from '@emotion/styled';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense } from 'react';
import type { ChainDefinition } from '../../lib/kms/chains';
import { castCommand, type ContractCall } from '../../lib/kms/contractCalls';
import { CodeBlock } from '../code/CodeBlock';
import { lazyWithRetry } from '../lazyWithRetry';
import { color, space, type } from '../theme';

// Only an owner who changes the contract needs it.
const SendWithWallet = lazyWithRetry(() =>
  import('./SendWithWallet').then((m) => ({ default: m.SendWithWallet })),
);

const Stack = styled('div')({ display: 'grid', gap: space(3), minWidth: 0 });
const Text = styled('p')({ ...type.small, color: color.muted, overflowWrap: 'anywhere' });

/** A change as a transaction: through a wallet in this browser, or as text for any other. */
export function CallDetails({
  call,
  contract,
  chain,
}: {
  call: ContractCall;
  contract: string;
  chain: ChainDefinition;
}) {
  const queryClient = useQueryClient();
  return (
    <Stack>
      <Suspense>
        <SendWithWallet
          transaction={{ to: contract, data: call.data }}
          chain={chain}
          // All that was read from the chain before.
          onDone={() => void queryClient.invalidateQueries()}
        />
      </Suspense>
      <Text>
        With another wallet, send this transaction to {contract} on {chain.name} (chain {chain.id}) from the
        owner’s account, with no value.
      </Text>
      <CodeBlock title={`Data of ${call.signature}`} code={call.data} />
      <CodeBlock
        title="Command (Foundry)"
        code={castCommand(call, contract, chain.rpcUrls.default.http[0] ?? '')}
      />
    </Stack>
  );
}
