import styled from '@emotion/styled';
import type { AppContractEntry } from '../../../../generated/api/types.gen';
import { MAX_LISTED } from '../../../lib/kms/renounced';
import { CopyId } from '../../../ui/data/CopyId';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { ToneChip } from '../../../ui/feedback/ToneChip';
import { color, space, type } from '../../../ui/theme';
import { Address, HEX_WIDTH } from './facts';

const Text = styled('p')({ ...type.small, color: color.muted, marginTop: space(3) });

function Allowed({ allowed }: { allowed: boolean | null }) {
  if (allowed === null)
    return (
      <ToneChip quiet tone="attention" glyph="warning">
        Unknown
      </ToneChip>
    );
  return (
    <ToneChip quiet tone={allowed ? 'ok' : 'neutral'} glyph={allowed ? 'check' : 'archived'}>
      {allowed ? 'Allowed' : 'Removed'}
    </ToneChip>
  );
}

const columns = (what: string): Column<AppContractEntry>[] => [
  {
    id: 'value',
    header: what,
    cell: ({ value }) => <CopyId id={value} what={what.toLowerCase()} />,
  },
  { id: 'name', header: 'Name', width: 140, phone: 'meta', cell: ({ name }) => name ?? 'Unknown' },
  {
    id: 'allowed',
    header: 'State',
    width: 110,
    phone: 'end',
    cell: ({ allowed }) => <Allowed allowed={allowed} />,
  },
  {
    id: 'by',
    header: 'Added by',
    width: HEX_WIDTH,
    priority: 2,
    labelled: true,
    phone: 'meta',
    cell: ({ added_by }) => <Address value={added_by} what="sender" />,
  },
  {
    id: 'tx',
    header: 'Transaction',
    width: HEX_WIDTH,
    priority: 3,
    labelled: true,
    phone: 'meta',
    cell: ({ tx_hash }) => <CopyId id={tx_hash} what="transaction" />,
  },
  {
    id: 'at',
    header: 'Added',
    width: 112,
    phone: 'meta',
    cell: ({ added_at }) => <RelativeTime at={added_at} />,
  },
];

/** Compose hashes or devices that the contract has ever allowed. */
export function EntriesTable({
  id,
  label,
  noun,
  what,
  rows,
  onToggle,
}: {
  id: string;
  label: string;
  noun: readonly [one: string, many: string];
  what: string;
  rows: readonly AppContractEntry[];
  /** Null if nobody can change the list. */
  onToggle: ((row: AppContractEntry) => void) | null;
}) {
  return (
    <>
      <DataTable
        bare
        id={id}
        label={label}
        noun={noun}
        columns={columns(what)}
        rows={rows}
        rowId={({ value }) => value}
        rowName={({ value, name }) => name ?? value}
        {...(onToggle && {
          rowActions: (row: AppContractEntry) => [
            {
              id: 'change',
              label: row.allowed === false ? 'Allow again…' : 'Remove…',
              onSelect: () => onToggle(row),
            },
          ],
        })}
        empty={
          <EmptyState picture="kms" title="None listed">
            Contract events appear here once they are read.
          </EmptyState>
        }
      />
      {rows.length >= MAX_LISTED && (
        <Text>
          Only the {MAX_LISTED} most recently allowed {noun[1]} are listed. The contract may still allow older
          ones.
        </Text>
      )}
    </>
  );
}
