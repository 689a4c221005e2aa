import styled from '@emotion/styled';
import { useState } from 'react';
import { useGetList, useRefresh } from 'react-admin';
import type { AdminKmsContract } from '../../../generated/api/types.gen';
import { chainNamed } from '../../../console/lib/kms/chains';
import { bytes32 } from '../../../console/lib/kms/hex';
import { counted } from '../../../console/lib/texts/count';
import { SelectInput } from '../../../console/ui/forms/SelectInput';
import { TextInput } from '../../../console/ui/forms/TextInput';
import { TypedName } from '../../../console/ui/forms/TypedName';
import { Panel } from '../../../console/ui/layout/Panel';
import { color, space, type } from '../../../console/ui/theme';
import { CallDetails } from '../../../console/ui/wallets/CallDetails';
import type { AdminRecord } from '../../record';
import { fetchJson } from '../../http';
import { plain } from '../../schema/value';
import { actionCall, confirmationOf, contractActions, isWithoutOwner } from './contractActions';

const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0, maxWidth: 720 });
const Text = styled('p')({ ...type.small, color: color.muted });

const NONE = '';
/** The server's node may be a block behind the wallet's node. */
const AGAIN_MS = 5_000;

/** Changes of a KMS contract: each is a transaction sent from its owner's wallet. The server has no key for it. */
export function ContractActions({ record }: { record: AdminRecord }) {
  const readAgain = useReadAgain(record.id);
  const [name, setName] = useState<string>(NONE);
  const [value, setValue] = useState('');
  const [typed, setTyped] = useState('');
  // Selecting another change would lose track of a transaction that is in the wallet or in flight.
  const [isBusy, setBusy] = useState(false);
  const [isDone, setDone] = useState(false);
  const chain = chainNamed(plain(record.chain));
  const contract = plain(record.address);
  const owner = plain(record.owner);
  const state = {
    code_present: typeof record.code_present === 'boolean' ? record.code_present : null,
    owner,
    pending_owner: plain(record.pending_owner),
    app_count: typeof record.app_count === 'number' ? record.app_count : null,
  };
  const read = contractActions(state);
  // A sent change stays on screen, although it is no longer offered once it is on the chain.
  const [sent, setSent] = useState<(typeof read)[number] | null>(null);
  const action = sent ?? read.find((one) => one.name === name);
  const entered = value.trim();
  const affected = useAffected(record, name === 'removeOsImageHash' ? entered : '');
  if (!chain) return null;
  if (state.code_present === false)
    return (
      <Panel title="Change the contract">
        <Text>
          There is no contract at {contract} on {chain.name}. Check the address, or deploy the contract.
        </Text>
      </Panel>
    );
  if (isWithoutOwner(state))
    return (
      <Panel title="Change the contract">
        <Text>It no longer has an owner, so nobody can change it.</Text>
      </Panel>
    );
  const fault = entered === '' ? null : (action?.input?.fault(entered) ?? null);
  const call = action && actionCall(action, entered);
  const confirmation = action && confirmationOf(action, entered);
  const isUnderWay = isBusy || isDone;
  const isReady = isUnderWay || confirmation?.typed === undefined || typed === confirmation.typed;
  const restart = () => {
    setTyped('');
    setDone(false);
    setSent(null);
  };
  const choose = (next: string) => {
    setName(next);
    setValue('');
    restart();
  };
  return (
    <Panel
      title="Change the contract"
      subtitle={`Only its owner${owner === '' ? '' : ` (${owner})`} can change it, with a wallet transaction. This server doesn’t have the owner’s key.`}
    >
      <Stack>
        <SelectInput
          label="Change"
          value={name}
          choices={[
            { value: NONE, label: 'Choose a change' },
            ...[...read, ...(sent && !read.some((one) => one.name === sent.name) ? [sent] : [])].map(
              ({ name: value, label }) => ({ value, label }),
            ),
          ]}
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
                onChange={(event) => {
                  setValue(event.target.value);
                  restart();
                }}
                autoComplete="off"
                spellCheck={false}
              />
            )}
            {affected !== null && <Text>{affected}</Text>}
            {confirmation?.effect != null && <Text>{confirmation.effect}</Text>}
            {call && confirmation?.typed !== undefined && !isUnderWay && (
              <TypedName name={confirmation.typed} value={typed} onChange={setTyped} />
            )}
            {call && isReady && (
              <CallDetails
                key={call.data}
                {...{ call, contract, chain }}
                sender={action.sender}
                safeName={action.label}
                onBusy={(busy) => {
                  setBusy(busy);
                  setSent(busy ? action : null);
                }}
                onDone={() => {
                  setBusy(false);
                  setDone(true);
                  readAgain();
                }}
              />
            )}
          </>
        )}
      </Stack>
    </Panel>
  );
}

/** Makes the server read the contract again, because its last read is stale after a change. */
function useReadAgain(id: AdminRecord['id']): () => void {
  const refresh = useRefresh();
  const read = () =>
    fetchJson(`/api/v1/admin/kms-contracts/${id}/read`, { method: 'POST' })
      // Without write permission, the user waits until the worker has seen the event.
      .catch(() => undefined)
      .then(() => refresh());
  return () => {
    void read();
    setTimeout(() => void read(), AGAIN_MS);
  };
}

/** Says how many CVMs boot with an OS image; null if unknown. @param hash as entered */
function useAffected(record: AdminRecord, hash: string): string | null {
  const wanted = bytes32(hash);
  const images = (record.os_images ?? []) as AdminKmsContract['os_images'];
  const name = images.find(
    ({ os_image_hash }) => hash.length >= 64 && wanted !== null && bytes32(os_image_hash) === wanted,
  )?.name;
  const { total } = useGetList<AdminRecord>(
    'cvms',
    {
      filter: { os_image: name, kms_id: record.kms_id, deleted_at: null },
      pagination: { page: 1, perPage: 1 },
      sort: { field: 'created_at', order: 'DESC' },
    },
    { enabled: name != null && typeof record.kms_id === 'number', retry: false, onError: () => undefined },
  );
  if (name == null || total === undefined) return null;
  return `${counted(total, ['CVM', 'CVMs'])} on this server ${total === 1 ? 'uses' : 'use'} this image, ${name}, and ${total === 1 ? 'gets its' : 'get their'} keys through this contract.`;
}
