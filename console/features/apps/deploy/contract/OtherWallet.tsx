import styled from '@emotion/styled';
import { useState } from 'react';
import { deployAppCall, type DeployedApp } from '../../../../lib/kms/appAuth';
import type { ChainDefinition } from '../../../../lib/kms/chains';
import { castCommand, commandRpc } from '../../../../lib/kms/contractCalls';
import { CodeBlock } from '../../../../ui/code/CodeBlock';
import { PendingButton } from '../../../../ui/controls/PendingButton';
import { TextInput } from '../../../../ui/forms/TextInput';
import { color, space, type } from '../../../../ui/theme';
import { useWallets } from '../../../../ui/wallets/useWallets';
import { Fold } from '../Fold';
import { ownerIn, type CheckContract } from './naming';
import type { Needed } from './savedContract';
import { useNaming } from './useNaming';

const Stack = styled('div')({ display: 'grid', gap: space(3), minWidth: 0 });
const Heading = styled('h3')({ ...type.heading });
const Text = styled('p')({ ...type.small, color: color.muted, overflowWrap: 'anywhere' });

interface Props {
  needed: Needed;
  chain: ChainDefinition;
  /** Whether to expand it even if this browser has a wallet. */
  open: boolean;
  check: CheckContract;
  onOwner: (owner: string | null) => void;
  onNamed: (app: DeployedApp) => void;
}

/** Instructions for a wallet outside this browser: a Safe, a hardware wallet elsewhere, or a command line. */
export function OtherWallet({ needed, chain, open, check, onOwner, onNamed }: Props) {
  const [entered, setEntered] = useState('');
  const { owner, fault: ownerFault } = ownerIn(entered);
  const [contract, setContract] = useState('');
  const { isPending, fault, name, reset } = useNaming(check, onNamed);
  const hasWallet = useWallets().length > 0;
  const steps = (
    <Stack>
      <TextInput
        mono
        label="Owner"
        help="The account or Safe that will own the contract. Its address is part of the transaction."
        error={ownerFault}
        value={entered}
        onChange={(event) => {
          const text = event.target.value.trim();
          setEntered(text);
          onOwner(ownerIn(text).owner);
        }}
        autoComplete="off"
        spellCheck={false}
      />
      {owner !== null && <Deployment needed={needed} chain={chain} owner={owner} />}
      <TextInput
        mono
        label="Transaction or contract"
        help="Once the transaction is in a block, enter its hash (cast send prints it as transactionHash) or the address of the deployed contract. If you enter an owner, this page also looks for their contract every few seconds."
        error={fault}
        value={contract}
        onChange={(event) => {
          setContract(event.target.value.trim());
          reset();
        }}
        autoComplete="off"
        spellCheck={false}
      />
      <div>
        <PendingButton pending={isPending} onClick={() => name(contract)}>
          Use this contract
        </PendingButton>
      </div>
    </Stack>
  );
  // Without a wallet it is the only way, so it must be visible.
  if (!hasWallet)
    return (
      <Stack>
        <Heading>Use another wallet</Heading>
        {steps}
      </Stack>
    );
  return (
    <Fold label="Use another wallet" hint="A Safe, a hardware wallet or a command line" changed={open}>
      {steps}
    </Fold>
  );
}

function Deployment({ needed, chain, owner }: Pick<Props, 'needed' | 'chain'> & { owner: string }) {
  const kms = needed.kms_contract_address;
  const call = deployAppCall({ ...needed, owner });
  return (
    <>
      <Text>
        Send this transaction to {kms} on {chain.name} (chain {chain.id}), with no value.
      </Text>
      <CodeBlock title={`Data of ${call.signature}`} code={call.data} />
      <CodeBlock title="Command (Foundry)" code={castCommand(call, kms, commandRpc(chain))} />
    </>
  );
}
