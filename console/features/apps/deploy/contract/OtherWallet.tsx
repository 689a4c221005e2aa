import styled from '@emotion/styled';
import { useState } from 'react';
import { deployAppCall, isAddress, type DeployedApp } from '../../../../lib/kms/appAuth';
import type { ChainDefinition } from '../../../../lib/kms/chains';
import { castCommand } from '../../../../lib/kms/contractCalls';
import { CodeBlock } from '../../../../ui/code/CodeBlock';
import { Button } from '../../../../ui/controls/Button';
import { TextInput } from '../../../../ui/forms/TextInput';
import { color, space, type } from '../../../../ui/theme';
import { Fold } from '../Fold';
import type { Needed } from './savedContract';

const Stack = styled('div')({ display: 'grid', gap: space(3), minWidth: 0 });
const Text = styled('p')({ ...type.small, color: color.muted, overflowWrap: 'anywhere' });
const HINT = 'Enter an address: 0x and 40 hex digits.';

interface Props {
  needed: Needed;
  chain: ChainDefinition;
  onDeployed: (app: DeployedApp) => void;
}

/** The same for a wallet that is not in this browser: a Safe, a hardware wallet elsewhere, or a command line. */
export function OtherWallet({ needed, chain, onDeployed }: Props) {
  const [owner, setOwner] = useState('');
  const [contract, setContract] = useState('');
  const kms = needed.kms_contract_address;
  const call = isAddress(owner) ? deployAppCall({ ...needed, owner }) : null;
  const fault = (text: string) => (text === '' || isAddress(text) ? undefined : HINT);
  return (
    <Fold label="Use another wallet" hint="A Safe, a hardware wallet or a command line" changed={false}>
      <Stack>
        <TextInput
          mono
          label="Owner"
          help="The account or Safe that will own the contract."
          error={fault(owner)}
          value={owner}
          onChange={(event) => setOwner(event.target.value.trim())}
          autoComplete="off"
          spellCheck={false}
        />
        {call && (
          <>
            <Text>
              Send this transaction to {kms} on {chain.name} (chain {chain.id}), with no value.
            </Text>
            <CodeBlock title={`Data of ${call.signature}`} code={call.data} />
            <CodeBlock
              title="Command (Foundry)"
              code={castCommand(call, kms, chain.rpcUrls.default.http[0] ?? '')}
            />
          </>
        )}
        <TextInput
          mono
          label="App contract"
          help="Its address, once the transaction is in a block: appId in the event AppDeployedViaFactory."
          error={fault(contract)}
          value={contract}
          onChange={(event) => setContract(event.target.value.trim())}
          autoComplete="off"
          spellCheck={false}
        />
        <div>
          <Button
            disabled={!call || !isAddress(contract)}
            onClick={() =>
              onDeployed({
                app_id: contract.slice(2).toLowerCase(),
                deployer_address: owner.toLowerCase(),
              })
            }
          >
            Use this contract
          </Button>
        </div>
      </Stack>
    </Fold>
  );
}
