import styled from '@emotion/styled';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { createUsdcAddressMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import type { UsdcDeposit, UsdcNetwork } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { useStale } from '../../../api/useStale';
import { exactUsd } from '../../../lib/billing/money';
import { chainById } from '../../../lib/kms/chains';
import { Button } from '../../../ui/controls/Button';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { CopyId } from '../../../ui/data/CopyId';
import { Cost } from '../../../ui/data/Cost';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { KeyValue } from '../../../ui/data/KeyValue';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Notice } from '../../../ui/feedback/Notice';
import { RowsSkeleton } from '../../../ui/feedback/Skeletons';
import { ToneChip } from '../../../ui/feedback/ToneChip';
import { Panel } from '../../../ui/layout/Panel';
import { space } from '../../../ui/theme';
import { MONEY, usdcOptions } from '../queries';
import { depositStates } from '../texts';
import { SendUsdcDialog } from './SendUsdcDialog';

const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });
const Actions = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });

const columns: Column<UsdcDeposit>[] = [
  {
    id: 'transaction',
    header: 'Transaction',
    cell: ({ tx_hash }) => <CopyId id={tx_hash} what="transaction" />,
  },
  {
    id: 'network',
    header: 'Network',
    cell: ({ chain_id }) => chainById(chain_id)?.name ?? `Chain ${chain_id}`,
    priority: 2,
  },
  { id: 'state', header: 'State', cell: (row) => <DepositState deposit={row} />, phone: 'end' },
  {
    id: 'amount',
    header: 'Amount',
    cell: ({ amount }) => <Cost usd={amount} />,
    align: 'right',
    labelled: true,
  },
  {
    id: 'created',
    header: 'First seen',
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
    priority: 2,
  },
];

function DepositState({ deposit: { state, confirmations, confirmations_needed } }: { deposit: UsdcDeposit }) {
  const { word, ...look } = depositStates[state];
  return (
    <>
      <ToneChip {...look}>{word}</ToneChip>
      {state === 'pending' && ` ${confirmations} of ${confirmations_needed} blocks`}
    </>
  );
}

/** The team's USDC address and its deposits. */
export function UsdcPanel({ teamSlug, mayManage }: { teamSlug: string; mayManage: boolean }) {
  const { data, error, refetch } = useQuery(usdcOptions(teamSlug));
  const stale = useStale();
  const create = useMutation({
    ...createUsdcAddressMutation(),
    onSuccess: () => stale('getUsdcPayments'),
  });
  const problem =
    problemOf(error, 'Couldn’t load the USDC deposits', () => void refetch()) ??
    problemOf(create.error, 'Couldn’t create an address');
  return (
    <Panel
      title="USDC"
      subtitle="One USDC adds one dollar to your prepaid funds. Deposits can’t be charged back, and refunds are manual."
    >
      <Stack>
        {problem && <ErrorNotice problem={problem} />}
        {!data ? (
          !problem && <RowsSkeleton rows={2} />
        ) : data.address !== null ? (
          <Address address={data.address} minimum={data.minimum} networks={data.networks} />
        ) : mayManage ? (
          <Actions>
            <PendingButton pending={create.isPending} onClick={() => create.mutate({ ...inTeam(teamSlug) })}>
              Create deposit address
            </PendingButton>
          </Actions>
        ) : (
          <p>No deposit address yet. A member who manages billing can create one.</p>
        )}
        {data && data.address !== null && (
          <DataTable
            id="usdc"
            noun={['deposit', 'deposits']}
            bare
            columns={columns}
            rows={data.deposits}
            rowId={({ chain_id, tx_hash, created_at }) => `${chain_id} ${tx_hash} ${created_at}`}
            rowName={({ tx_hash }) => tx_hash}
            empty="No deposits yet. They appear here within a minute."
          />
        )}
      </Stack>
    </Panel>
  );
}

function Address({
  address,
  minimum,
  networks,
}: {
  address: string;
  minimum: string;
  networks: readonly UsdcNetwork[];
}) {
  const [isSending, setSending] = useState(false);
  const stale = useStale();
  // Deposits sent before a network's first read are never found.
  const ready = networks.filter(({ read_at }) => read_at !== null);
  const waiting = networks.filter(({ current, not_current_since }) => !current && not_current_since === null);
  const behind = networks.filter(({ not_current_since }) => not_current_since !== null);
  return (
    <>
      <KeyValue
        facts={[
          {
            label: 'Your address',
            value: <CopyId id={address} what="deposit address" most={0} />,
            wide: true,
          },
          ...ready.map(({ name, token }) => ({
            label: `USDC on ${name}`,
            value: <CopyId id={token} what={`USDC contract on ${name}`} most={14} />,
          })),
        ]}
      />
      <Notice
        tone="attention"
        title={
          ready.length === 0
            ? 'Don’t send USDC yet.'
            : `Send only USDC, at least ${exactUsd(minimum)}, on ${namesOf(ready)}.`
        }
      >
        Other tokens, and USDC on other networks, aren’t added to your balance and may be lost.
      </Notice>
      {waiting.length > 0 && (
        <Notice tone="neutral" title={`${namesOf(waiting)} can’t be read yet.`}>
          You can send USDC there once the network responds.
        </Notice>
      )}
      {behind.map(({ chain_id, name, not_current_since }) => (
        <Notice key={chain_id} tone="attention" title={`Deposits on ${name} are delayed.`}>
          The delay started <RelativeTime at={not_current_since} inWords />: some blocks can’t be read right
          now. Deposits in them aren’t lost: they appear here and are added to the balance as soon as the
          blocks can be read. Don’t send them again.
        </Notice>
      ))}
      {ready.length > 0 && (
        <Actions>
          <Button onClick={() => setSending(true)}>Send with a wallet</Button>
        </Actions>
      )}
      {isSending && (
        <SendUsdcDialog
          address={address}
          networks={ready}
          onSent={() => void stale('getUsdcPayments', ...MONEY)}
          onClose={() => {
            setSending(false);
            void stale('getUsdcPayments');
          }}
        />
      )}
    </>
  );
}

const namesOf = (networks: readonly UsdcNetwork[]): string =>
  new Intl.ListFormat('en-US', { type: 'disjunction' }).format(networks.map(({ name }) => name));
