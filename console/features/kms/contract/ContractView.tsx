import styled from '@emotion/styled';
import { useState } from 'react';
import type { AppContract, AppContractEntry } from '../../../../generated/api/types.gen';
import { decisionOf } from '../../../lib/kms/bootDecision';
import type { ChainDefinition } from '../../../lib/kms/chains';
import type { EstimateFee } from '../../../lib/wallets/fee';
import { Button } from '../../../ui/controls/Button';
import { KeyValue } from '../../../ui/data/KeyValue';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { Notice } from '../../../ui/feedback/Notice';
import { Panel } from '../../../ui/layout/Panel';
import { space } from '../../../ui/theme';
import { ChangeDialog, type Change } from './ChangeDialog';
import { ContractHistory } from './ContractHistory';
import { EntriesTable } from './EntriesTable';
import { entryChange, type EntryKind, type EntryUsage } from './entryChange';
import { contractFacts, hasOtherCode } from './facts';
import { CodeNotice } from './CodeNotice';
import { DangerActions } from './DangerActions';
import { olderHashes } from './olderHashes';
import { PendingNotice } from './PendingNotice';
import { dangerChanges, pendingTransfer, policyChanges } from './policyChanges';
import type { Verdict } from './unread';
import { count } from '../../../lib/texts/count';

const Notes = styled('div')({ display: 'grid', gap: space(3), marginBottom: space(4) });
// A column, because a row would wrap differently once the font loads.
const Actions = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 208px), 1fr))',
  justifyItems: 'start',
  gap: space(2),
  marginTop: space(4),
});

/** The list entry being changed; the effect depends on the app's CVMs. */
interface Asked {
  kind: EntryKind;
  row: Pick<AppContractEntry, 'value' | 'name' | 'allowed'>;
}

/**
 * The contract that decides who gets the app's keys: its current policy, everything it ever allowed, and its
 * history.
 */
export function ContractView({
  contract,
  chain,
  verdict,
  usage,
  onRemoval,
  estimate,
}: {
  contract: AppContract;
  chain: ChainDefinition;
  /** Null until loaded. */
  verdict: Verdict | null;
  usage: EntryUsage;
  /** Called when the dialog that removes a hash or device opens or closes, because it needs their usage. */
  onRemoval?: (open: boolean) => void;
  estimate?: EstimateFee;
}) {
  const [change, setChange] = useState<Change | Asked | null>(null);
  const { policy } = contract;
  const transfer = policy && pendingTransfer(policy);
  // If the network can't be read, the owner is unknown.
  const isFinal = policy?.renounced === true;
  const isOther = policy !== null && hasOtherCode(policy);
  const isGone = policy?.code_present === false;
  // A transaction to an address without a contract succeeds without any effect.
  const isFixed = isFinal || isGone;
  const toggle = (kind: EntryKind) =>
    isFixed
      ? null
      : (row: AppContractEntry) => {
          if (row.allowed !== false) onRemoval?.(true);
          setChange({ kind, row });
        };
  return (
    <>
      <Panel
        title="App contract"
        subtitle={`Decides which compose hashes and devices get the app’s keys.${isGone ? '' : isFinal ? ' It no longer has an owner.' : ' Only its owner can change it.'}`}
      >
        <Notes>
          {isOther && <CodeNotice policy={policy} />}
          {isFinal && (
            <Notice
              tone="attention"
              title={
                isOther ? 'The contract says that nobody can change it.' : 'Nobody can change this contract.'
              }
            >
              Its ownership was renounced, so compose hashes and devices can no longer be allowed or removed.
              To run a new version, deploy it as a new app.
            </Notice>
          )}
          {isGone && (
            <Notice tone="error" title={`There is no contract at this address on ${chain.name}.`}>
              A reorganization may have undone its deployment. Send that transaction again: until it is
              on-chain, the app gets no keys.
            </Notice>
          )}
          {verdict && (
            <VerdictNotice
              verdict={verdict}
              unread={policy === null ? contract.error : null}
              requiresTcb={policy?.require_tcb_up_to_date === true}
              isFinal={isFinal}
              onChange={isFixed ? null : setChange}
            />
          )}
          {verdict?.is_allowed && (
            <OlderHashes
              entries={olderHashes(contract.compose_hashes, verdict.compose_hash)}
              onRemove={toggle('ComposeHash')}
            />
          )}
          {transfer && <PendingNotice transfer={transfer} onChange={setChange} />}
          <Freshness contract={contract} />
        </Notes>
        <KeyValue facts={contractFacts(contract, chain.name)} />
        {policy && !isFixed && (
          <Actions>
            {policyChanges(policy, contract.hosts).map((one) => (
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
      <ContractHistory history={contract.history} index={contract.index} chain={chain} />
      {policy && !isFixed && <DangerActions changes={dangerChanges(policy)} onChange={setChange} />}
      {change && (
        <ChangeDialog
          change={
            'row' in change ? entryChange(change.kind, change.row, usage, policy?.allow_any_device) : change
          }
          contract={contract.address}
          chain={chain}
          estimate={estimate}
          onClose={() => {
            setChange(null);
            onRemoval?.(false);
          }}
        />
      )}
    </>
  );
}

function VerdictNotice({
  verdict,
  unread,
  requiresTcb,
  isFinal,
  onChange,
}: {
  verdict: Verdict;
  /** Why the network can't be read; the reason itself is shown below. */
  unread: string | null;
  requiresTcb: boolean;
  /** Whether the contract's ownership was renounced. */
  isFinal: boolean;
  /** Null if the contract can't be changed now. */
  onChange: ((asked: Asked) => void) | null;
}) {
  const decision = decisionOf(verdict);
  if (decision.state === 'allowed')
    return (
      <Notice tone="ok" title="This CVM is allowed to boot.">
        The contract allows its compose hash and device.
        {requiresTcb &&
          ' It also requires an up-to-date TCB, which the KMS checks at boot; this result assumes that it is up to date.'}
      </Notice>
    );
  if (decision.state === 'unknown')
    return (
      <Notice tone="attention" title="Unknown whether this CVM is allowed to boot.">
        {decision.reason === unread ? 'Its contract can’t be read.' : decision.reason}
      </Notice>
    );
  const { part, reason } = decision;
  const value = part === 'hash' ? verdict.compose_hash : part === 'device' ? verdict.device_id : '';
  return (
    <Notice
      tone="error"
      title="This CVM isn’t allowed to boot."
      action={
        value === '' || onChange === null ? undefined : (
          <Button
            size="small"
            onClick={() =>
              onChange({
                kind: part === 'hash' ? 'ComposeHash' : 'Device',
                row: { value, name: 'this CVM', allowed: false },
              })
            }
          >
            {part === 'hash' ? 'Allow this hash…' : 'Allow this device…'}
          </Button>
        )
      }
    >
      It gets no keys at its next boot: {reason}.{isFinal && ' Nobody can allow it anymore.'}
    </Notice>
  );
}

/** Shown after an update: earlier versions can still get the keys. */
function OlderHashes({
  entries,
  onRemove,
}: {
  entries: readonly AppContractEntry[];
  /** Null if nobody can change the contract. */
  onRemove: ((row: AppContractEntry) => void) | null;
}) {
  const [first] = entries;
  if (!first) return null;
  const isOne = entries.length === 1;
  return (
    <Notice
      tone="neutral"
      title={
        isOne
          ? 'An older compose hash is still allowed.'
          : `${entries.length} older compose hashes are still allowed.`
      }
      action={
        onRemove && (
          <Button size="small" onClick={() => onRemove(first)}>
            Remove {first.name ?? 'the newest'}…
          </Button>
        )
      }
    >
      A CVM that boots with {isOne ? 'it' : 'one of them'} still gets the app’s keys.
      {onRemove && ` Remove ${isOne ? 'it' : 'them'} once you no longer need to roll back.`}
    </Notice>
  );
}

/** Warns if the data may be older than the chain, or incomplete. */
function Freshness({ contract }: { contract: AppContract }) {
  const { policy, error, index } = contract;
  return (
    <>
      {policy === null && (
        <Notice tone="attention" title="The network can’t be read.">
          {error} Until it can be read, what the contract allows is unknown.
          {index !== null && (
            <>
              {' '}
              Lists and history are as of <RelativeTime at={index.read_at} inWords />.
            </>
          )}
        </Notice>
      )}
      {index === null ? (
        <Notice tone="neutral" title="The contract’s events haven’t been read yet.">
          Lists and history appear within a minute.
        </Notice>
      ) : (
        (!index.complete || index.error !== null) && (
          <Notice tone="attention" title="Lists and history may be incomplete.">
            {index.error ?? 'Older events are missing.'} Last read <RelativeTime at={index.read_at} inWords />
            {index.to_block === null ? '' : `, up to block ${count(index.to_block)}`}.
          </Notice>
        )
      )}
    </>
  );
}
