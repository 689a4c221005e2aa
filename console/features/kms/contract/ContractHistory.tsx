import type { AppContractChange, AppContractIndex } from '../../../../generated/api/types.gen';
import type { ChainDefinition } from '../../../lib/kms/chains';
import { CopyId } from '../../../ui/data/CopyId';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { Panel } from '../../../ui/layout/Panel';
import { Address, eventName, HEX_WIDTH } from './facts';
import { flagText, historyRows, type HistoryRow } from './historyRows';
import { count } from '../../../lib/texts/count';

const HISTORY: Column<HistoryRow>[] = [
  { id: 'kind', header: 'Change', cell: ({ kind }) => eventName(kind) },
  {
    id: 'value',
    header: 'Value',
    width: HEX_WIDTH,
    phone: 'meta',
    cell: ({ kind, value }) => {
      const text = flagText(kind, value);
      if (text !== null) return text;
      return value === '' ? <span data-nothing="">—</span> : <CopyId id={value} what="value" />;
    },
  },
  {
    id: 'sender',
    header: 'Sender',
    width: HEX_WIDTH,
    priority: 2,
    labelled: true,
    phone: 'meta',
    cell: ({ sender }) => <Address value={sender} what="sender" />,
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
  { id: 'at', header: 'When', width: 112, phone: 'end', cell: ({ at }) => <RelativeTime at={at} /> },
];

/** The contract's changes, with the block and time up to which they are known. */
export function ContractHistory({
  history,
  index,
  chain,
}: {
  history: readonly AppContractChange[];
  index: AppContractIndex | null;
  chain: ChainDefinition;
}) {
  return (
    <Panel
      title="Contract history"
      subtitle={
        <>
          Latest changes on {chain.name}.
          {index?.to_block != null && (
            <>
              {' '}
              Read up to block {count(index.to_block)}, <RelativeTime at={index.read_at} inWords />.
            </>
          )}
        </>
      }
    >
      <DataTable
        bare
        id="contract-history"
        label="Contract changes"
        noun={['change', 'changes']}
        columns={HISTORY}
        rows={historyRows(history)}
        rowId={({ id }) => id}
        rowName={({ kind }) => eventName(kind)}
        empty={
          <EmptyState picture="events" title="No changes read yet">
            Contract events appear here once they are read.
          </EmptyState>
        }
      />
    </Panel>
  );
}
