import styled from '@emotion/styled';
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
  onDone,
}: {
  call: ContractCall;
  contract: string;
  chain: ChainDefinition;
  /** Called when it is on the chain: what was read from there before is out of date. */
  onDone: () => void;
}) {
  return (
    <Stack>
      <Suspense>
        <SendWithWallet transaction={{ to: contract, data: call.data }} chain={chain} onDone={onDone} />
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
