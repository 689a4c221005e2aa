import { useQueries } from '@tanstack/react-query';
import { cvmPath } from '../../lib/paths';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { CopyId } from '../../ui/data/CopyId';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { StatusChip } from '../../ui/feedback/StatusChip';
import { PageHeader } from '../../ui/layout/PageHeader';
import type { CvmDetail } from '../../../generated/api/types.gen';
import type { Choice } from './load';
import { cvmOptions } from './queries';

interface Row extends Choice {
  cvm: CvmDetail | undefined;
}

const columns: Column<Row>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name },
  {
    id: 'status',
    header: 'Status',
    width: 160,
    phone: 'end',
    cell: ({ cvm }) => (cvm ? <StatusChip quiet status={cvm.status} /> : '…'),
  },
  {
    id: 'id',
    header: 'CVM id',
    width: 190,
    phone: 'meta',
    cell: ({ vmUuid }) => <CopyId id={vmUuid} what="CVM id" />,
  },
  {
    id: 'host',
    header: 'Host',
    width: 140,
    priority: 2,
    phone: 'hide',
    cell: ({ cvm }) => cvm?.teepod?.name ?? '—',
  },
  {
    id: 'created',
    header: 'Created',
    width: 120,
    priority: 2,
    phone: 'meta',
    cell: ({ cvm }) => (cvm ? <RelativeTime at={cvm.created_at} /> : '…'),
  },
];

interface Props {
  /** The identifier in the address. */
  crumb: string;
  choices: readonly Choice[];
  teamSlug: string;
}

/** An identifier that fits several CVMs (an app's id, when the app has replicas): one of them is chosen. */
export function ChooseCvm({ crumb, choices, teamSlug }: Props) {
  const details = useQueries({ queries: choices.map(({ vmUuid }) => cvmOptions(teamSlug, vmUuid)) });
  const rows = choices.map((choice, i): Row => ({ ...choice, cvm: details[i]?.data }));
  return (
    <>
      <PageHeader
        title="Several CVMs have this identifier"
        subtitle={`${crumb} names all of these: replicas of an app share its id. Each has an id of its own.`}
      />
      <DataTable
        id="choose-cvm"
        label="CVMs"
        columns={columns}
        rows={rows}
        rowId={({ vmUuid }) => vmUuid}
        rowName={({ name }) => name}
        rowHref={({ vmUuid }) => cvmPath(teamSlug, vmUuid)}
        empty={<EmptyState>None of them is there any more.</EmptyState>}
      />
    </>
  );
}
