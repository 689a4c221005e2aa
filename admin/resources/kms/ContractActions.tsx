import styled from '@emotion/styled';
import { useState } from 'react';
import { useRefresh } from 'react-admin';
import { chainNamed } from '../../../console/lib/kms/chains';
import { SelectInput } from '../../../console/ui/forms/SelectInput';
import { TextInput } from '../../../console/ui/forms/TextInput';
import { TypedName } from '../../../console/ui/forms/TypedName';
import { Panel } from '../../../console/ui/layout/Panel';
import { color, space, type } from '../../../console/ui/theme';
import { CallDetails } from '../../../console/ui/wallets/CallDetails';
import type { AdminRecord } from '../../record';
import { plain } from '../../schema/value';
import { actionCall, CONTRACT_ACTIONS } from './contractActions';

const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0, maxWidth: 720 });
const Text = styled('p')({ ...type.small, color: color.muted });

const NONE = '';
const choices = [
  { value: NONE, label: 'Choose a change' },
  ...CONTRACT_ACTIONS.map(({ name, label }) => ({ value: name, label })),
];

/** Changes of a KMS contract: each is a transaction that its owner sends from a wallet. The server has no key for it. */
export function ContractActions({ record }: { record: AdminRecord }) {
  const refresh = useRefresh();
  const [name, setName] = useState<string>(NONE);
  const [value, setValue] = useState('');
  const [typed, setTyped] = useState('');
  // Another change would forget the transaction that a wallet asks about, or that is on its way.
  const [isBusy, setBusy] = useState(false);
  const action = CONTRACT_ACTIONS.find((one) => one.name === name);
  const chain = chainNamed(plain(record.chain));
  const contract = plain(record.address);
  const owner = plain(record.owner);
  if (!chain) return null;
  const entered = value.trim();
  const fault = entered === '' ? null : (action?.input?.fault(entered) ?? null);
  const call = action && actionCall(action, entered);
  const isReady = action && (isBusy || action.typed === undefined || typed === action.typed);
  const choose = (next: string) => {
    setName(next);
    setValue('');
    setTyped('');
  };
  return (
    <Panel
      title="Change the contract"
      subtitle={`Only its owner${owner === '' ? '' : ` (${owner})`} can, with a transaction from a wallet. This server has no key for it.`}
    >
      <Stack>
        <SelectInput
          label="Change"
          value={name}
          choices={choices}
          disabled={isBusy}
          onChange={(event) => choose(event.target.value)}
        />
        {action && (
          <>
            <Text>{action.effect}</Text>
            {action.input && (
              <TextInput
                mono
                label={action.input.label}
                help={action.input.help}
                error={fault ?? undefined}
                value={value}
                disabled={isBusy}
                onChange={(event) => setValue(event.target.value)}
                autoComplete="off"
                spellCheck={false}
              />
            )}
            {action.typed !== undefined && (
              <TypedName name={action.typed} value={typed} onChange={setTyped} />
            )}
            {call && isReady && (
              <CallDetails
                key={call.data}
                {...{ call, contract, chain }}
                safeName={action.label}
                onBusy={setBusy}
                onDone={() => {
                  setBusy(false);
                  refresh();
                }}
              />
            )}
          </>
        )}
      </Stack>
    </Panel>
  );
}
