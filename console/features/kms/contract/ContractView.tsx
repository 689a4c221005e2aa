import styled from '@emotion/styled';
import { useState } from 'react';
import type {
  AppContract,
  AppContractChange,
  AppContractEntry,
  IsAllowed,
} from '../../../../generated/api/types.gen';
import type { ChainDefinition } from '../../../lib/kms/chains';
import { contractCall, type ContractFunction } from '../../../lib/kms/contractCalls';
import type { EstimateFee } from '../../../lib/wallets/fee';
import { Button } from '../../../ui/controls/Button';
import { CopyId } from '../../../ui/data/CopyId';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { KeyValue } from '../../../ui/data/KeyValue';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { Notice } from '../../../ui/feedback/Notice';
import { Panel } from '../../../ui/layout/Panel';
import { space } from '../../../ui/theme';
import { ChangeDialog, type Change } from './ChangeDialog';
import { EntriesTable } from './EntriesTable';
import { Address, contractFacts, eventName } from './facts';
import { policyChanges } from './policyChanges';

const Notes = styled('div')({ display: 'grid', gap: space(3), marginBottom: space(4) });
// In columns, because a row would wrap differently once the font has loaded.
const Actions = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 208px), 1fr))',
  justifyItems: 'start',
  gap: space(2),
  marginTop: space(4),
});

/** Whether the CVM may boot now; null while that isn't known. */
export type Verdict = Pick<IsAllowed, 'is_allowed' | 'device_id_allowed' | 'error'>;

/** The contract that decides who gets the app's keys: its policy now, what it ever allowed, and its history. */
export function ContractView({
  contract,
  chain,
  verdict,
  estimate,
}: {
  contract: AppContract;
  chain: ChainDefinition;
  verdict: Verdict | null;
  estimate?: EstimateFee;
}) {
  const [change, setChange] = useState<Change | null>(null);
  const toggle = (name: 'ComposeHash' | 'Device') => (row: AppContractEntry) =>
    setChange(entryChange(name, row));
  return (
    <>
      <Panel
        title="App contract"
        subtitle="Decides which compose hashes and devices get the app’s keys. Only its owner can change it."
      >
        <Notes>
          {verdict && <VerdictNotice verdict={verdict} />}
          <Freshness contract={contract} />
        </Notes>
        <KeyValue facts={contractFacts(contract, chain.name)} />
        {contract.policy && (
          <Actions>
            {policyChanges(contract.policy).map((one) => (
              <Button key={one.title} size="small" onClick={() => setChange(one)}>
                {one.label}
              </Button>
            ))}
          </Actions>
        )}
      </Panel>
      <Panel title="Compose hashes">
        <EntriesTable
          id="contract-hashes"
          label="Compose hashes"
          noun={['compose hash', 'compose hashes']}
          what="Compose hash"
          rows={contract.compose_hashes}
          onToggle={toggle('ComposeHash')}
        />
      </Panel>
      <Panel title="Devices">
        <EntriesTable
          id="contract-devices"
          label="Devices"
          noun={['device', 'devices']}
          what="Device"
          rows={contract.devices}
          onToggle={toggle('Device')}
        />
      </Panel>
      <History history={contract.history} chain={chain} />
      {change && (
        <ChangeDialog
          change={change}
          contract={contract.address}
          chain={chain}
          estimate={estimate}
          onClose={() => setChange(null)}
        />
      )}
    </>
  );
}

function entryChange(what: 'ComposeHash' | 'Device', { value, name, allowed }: AppContractEntry): Change {
  const adds = allowed === false;
  const noun = what === 'Device' ? 'device' : 'compose hash';
  const call: ContractFunction = `${adds ? 'add' : 'remove'}${what}`;
  return {
    title: `${adds ? 'Allow' : 'Remove'} the ${noun}${name === null ? '' : ` of ${name}`}`,
    effect: adds
      ? `CVMs of this app with this ${noun} get its keys when they boot.`
      : `CVMs of this app with this ${noun} keep running, but get no keys at their next boot.`,
    call: contractCall(call, value),
  };
}

function VerdictNotice({ verdict: { is_allowed, device_id_allowed, error } }: { verdict: Verdict }) {
  if (is_allowed)
    return (
      <Notice tone="ok" title="This CVM may boot.">
        The contract allows its compose hash and its device now.
      </Notice>
    );
  if (device_id_allowed === null)
    return (
      <Notice tone="attention" title="Unknown whether this CVM may boot.">
        {error}
      </Notice>
    );
  return (
    <Notice tone="error" title="This CVM may not boot.">
      It keeps running, but its next boot gets no keys: {error ?? 'the contract gives no reason'}.
    </Notice>
  );
}

/** What is shown may be older than the chain, or missing parts. */
function Freshness({ contract }: { contract: AppContract }) {
  const { policy, error, index } = contract;
  return (
    <>
      {policy === null && (
        <Notice tone="attention" title="The network can’t be read.">
          {error} What it allows is unknown until then.
        </Notice>
      )}
      {index === null ? (
        <Notice tone="neutral" title="Its events haven’t been read yet.">
          Lists and history appear within a minute.
        </Notice>
      ) : (
        (!index.complete || index.error !== null) && (
          <Notice tone="attention" title="Lists and history may be incomplete.">
            {index.error ?? 'Older events are missing.'} Last read <RelativeTime at={index.read_at} />
            {index.to_block === null ? '' : `, up to block ${index.to_block.toLocaleString('en-US')}`}.
          </Notice>
        )
      )}
    </>
  );
}

const HISTORY: Column<AppContractChange>[] = [
  { id: 'kind', header: 'Change', cell: ({ kind }) => eventName(kind) },
  {
    id: 'value',
    header: 'Value',
    width: 190,
    phone: 'meta',
    cell: ({ value }) => (value === '' ? '—' : <CopyId id={value} what="value" most={16} />),
  },
  {
    id: 'sender',
    header: 'Sender',
    width: 150,
    priority: 2,
    phone: 'hide',
    cell: ({ sender }) => <Address value={sender} what="sender" />,
  },
  {
    id: 'tx',
    header: 'Transaction',
    width: 150,
    priority: 3,
    phone: 'hide',
    cell: ({ tx_hash }) => <CopyId id={tx_hash} what="transaction" most={14} />,
  },
  { id: 'at', header: 'When', width: 112, phone: 'end', cell: ({ at }) => <RelativeTime at={at} /> },
];

function History({ history, chain }: { history: readonly AppContractChange[]; chain: ChainDefinition }) {
  return (
    <Panel title="Contract history" subtitle={`Its latest changes on ${chain.name}.`}>
      <DataTable
        bare
        id="contract-history"
        label="Contract changes"
        noun={['change', 'changes']}
        columns={HISTORY}
        rows={history}
        rowId={({ tx_hash, kind, value }) => `${tx_hash} ${kind} ${value}`}
        rowName={({ kind }) => eventName(kind)}
        empty={
          <EmptyState picture="events" title="No changes read">
            Events of the contract appear here once they are read.
          </EmptyState>
        }
      />
    </Panel>
  );
}
