import styled from '@emotion/styled';
import { useId, useState } from 'react';
import type { ChainDefinition } from '../../../lib/kms/chains';
import { contractCall, type ContractCall, type ContractFunction } from '../../../lib/kms/contractCalls';
import type { EstimateFee } from '../../../lib/wallets/fee';
import { Button } from '../../../ui/controls/Button';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import type { Problem } from '../../../ui/feedback/problem';
import { CardSkeleton } from '../../../ui/feedback/Skeletons';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { TextInput } from '../../../ui/forms/TextInput';
import { TypedName } from '../../../ui/forms/TypedName';
import { Dialog } from '../../../ui/mui/Dialog';
import { space, type } from '../../../ui/theme';
import type { Sender } from '../../../ui/wallets/CallDetails';
import { OwnerCall } from './OwnerCall';

const Body = styled('div')({ display: 'grid', gap: space(4), padding: space(5), minWidth: 0 });
const Title = styled('h2')({ ...type.title, overflowWrap: 'anywhere' });
const Text = styled('p')({ ...type.body, maxWidth: '64ch', overflowWrap: 'anywhere' });
const Actions = styled('div')({ display: 'flex', justifyContent: 'flex-end', gap: space(2) });

/** A function whose argument the user enters. */
interface TypedCall {
  name: ContractFunction;
  label: string;
  help: string;
  /** Returns why a value is invalid; null if it is valid. */
  fault: (value: string) => string | null;
  /** Known values, under `choiceLabel`. */
  choices?: readonly { label: string; value: string }[];
  choiceLabel?: string;
}

export interface Change {
  title: string;
  /** The effect once it is on the chain. */
  effect: string;
  /** The call, or the function if the user must enter its value. */
  call: ContractCall | TypedCall;
  /** Text to type first, because the change is irreversible or takes something down. */
  typed?: string;
  /** The required sender, if it isn't the owner. */
  sender?: Sender;
  /** Whether data needed for the decision is still loading. */
  loading?: boolean;
  /** Why part of the effect is unknown. */
  problem?: Problem | null;
}

/** A single contract change: its effect, and the transaction that makes it. */
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
  // Changing the value would lose track of a transaction that is in the wallet or in flight.
  const [isBusy, setBusy] = useState(false);
  const entered = 'data' in change.call ? null : change.call;
  const fault = entered === null || value === '' ? null : entered.fault(value);
  const call = 'data' in change.call ? change.call : callWith(change.call, value);
  const confirmed =
    isBusy || (change.loading !== true && (change.typed === undefined || typed === change.typed));
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby={id}>
      <Body>
        <Title id={id}>{change.title}</Title>
        <Text>{change.effect}</Text>
        {entered && (
          <ValueFields call={entered} value={value} fault={fault} disabled={isBusy} onChange={setValue} />
        )}
        {change.loading && <CardSkeleton lines={2} />}
        {change.problem && <ErrorNotice problem={change.problem} />}
        {change.typed !== undefined && !isBusy && (
          <TypedName name={change.typed} value={typed} onChange={setTyped} />
        )}
        {call && confirmed && (
          <OwnerCall
            key={call.data}
            {...{ call, contract, chain, estimate }}
            sender={change.sender}
            safeName={change.title}
            onBusy={setBusy}
          />
        )}
        <Actions>
          <Button onClick={onClose}>Close</Button>
        </Actions>
      </Body>
    </Dialog>
  );
}

function ValueFields({
  call: { label, help, choices = [], choiceLabel = '' },
  value,
  fault,
  disabled,
  onChange,
}: {
  call: TypedCall;
  value: string;
  fault: string | null;
  disabled: boolean;
  onChange: (value: string) => void;
}) {
  return (
    <>
      {choices.length > 0 && (
        <SelectInput
          label={choiceLabel}
          value={choices.some((one) => one.value === value) ? value : ''}
          choices={[{ value: '', label: 'Other' }, ...choices]}
          disabled={disabled}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      <TextInput
        mono
        label={label}
        help={help}
        error={fault ?? undefined}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value.trim())}
        autoComplete="off"
        spellCheck={false}
      />
    </>
  );
}

function callWith({ name, fault }: TypedCall, value: string): ContractCall | null {
  if (value === '' || fault(value) !== null) return null;
  try {
    return contractCall(name, value);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
