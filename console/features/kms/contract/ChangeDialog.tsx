import styled from '@emotion/styled';
import { useId, useState } from 'react';
import type { ChainDefinition } from '../../../lib/kms/chains';
import { contractCall, type ContractCall, type ContractFunction } from '../../../lib/kms/contractCalls';
import type { EstimateFee } from '../../../lib/wallets/fee';
import { Button } from '../../../ui/controls/Button';
import { TextInput } from '../../../ui/forms/TextInput';
import { TypedName } from '../../../ui/forms/TypedName';
import { Dialog } from '../../../ui/mui/Dialog';
import { space, type } from '../../../ui/theme';
import { OwnerCall } from './OwnerCall';

const Body = styled('div')({ display: 'grid', gap: space(4), padding: space(5), minWidth: 0 });
const Title = styled('h2')({ ...type.title, overflowWrap: 'anywhere' });
const Text = styled('p')({ ...type.body, maxWidth: '64ch' });
const Actions = styled('div')({ display: 'flex', justifyContent: 'flex-end', gap: space(2) });

export interface Change {
  title: string;
  /** What it means once it is on the chain. */
  effect: string;
  /** The change, or the function and its argument's label if the value must be entered. */
  call: ContractCall | { name: ContractFunction; label: string; help: string };
  /** Must be typed first, because it can't be undone. */
  typed?: string;
}

/** One change of the contract: what it does, and the transaction that makes it. */
export function ChangeDialog({
  change,
  contract,
  chain,
  estimate,
  onClose,
}: {
  change: Change;
  contract: string;
  chain: ChainDefinition;
  estimate?: EstimateFee | undefined;
  onClose: () => void;
}) {
  const id = useId();
  const [value, setValue] = useState('');
  const [typed, setTyped] = useState('');
  const call = 'data' in change.call ? change.call : callWith(change.call.name, value);
  const confirmed = change.typed === undefined || typed === change.typed;
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby={id}>
      <Body>
        <Title id={id}>{change.title}</Title>
        <Text>{change.effect}</Text>
        {'label' in change.call && (
          <TextInput
            mono
            label={change.call.label}
            help={change.call.help}
            error={value !== '' && call === null ? change.call.help : undefined}
            value={value}
            onChange={(event) => setValue(event.target.value.trim())}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        {change.typed !== undefined && <TypedName name={change.typed} value={typed} onChange={setTyped} />}
        {call && confirmed && (
          <OwnerCall key={call.data} {...{ call, contract, chain, estimate }} safeName={change.title} />
        )}
        <Actions>
          <Button onClick={onClose}>Close</Button>
        </Actions>
      </Body>
    </Dialog>
  );
}

function callWith(name: ContractFunction, value: string): ContractCall | null {
  try {
    return contractCall(name, value);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
