import { useQueries } from '@tanstack/react-query';
import { adminCvmPath, cvmPath } from '../../lib/paths';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { CopyId } from '../../ui/data/CopyId';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { StatusChip } from '../../ui/feedback/StatusChip';
import { PageHeader } from '../../ui/layout/PageHeader';
import type { CvmDetail } from '../../../generated/api/types.gen';
import type { Choice, CvmChoices } from './load';
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
    header: 'CVM ID',
    width: 190,
    phone: 'meta',
    cell: ({ vmUuid }) => <CopyId id={vmUuid} what="CVM ID" />,
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

const team: Column<Row> = {
  id: 'team',
  header: 'Team',
  width: 160,
  phone: 'meta',
  cell: ({ teamSlug }) => teamSlug,
};

/** Lets the user choose when an identifier matches several CVMs, such as the ID of an app with replicas. */
export function ChooseCvm({ crumb, choices, teamSlug, by }: CvmChoices) {
  const details = useQueries({
    queries: choices.map((choice) => cvmOptions(choice.teamSlug ?? teamSlug, choice.vmUuid)),
  });
  const rows = choices.map((choice, i): Row => ({ ...choice, cvm: details[i]?.data }));
  return (
    <>
      <PageHeader
        title="Several CVMs have this identifier"
        subtitle={`${crumb} matches all of these: ${
          by === 'admin' ? 'names can repeat across teams, and replicas' : 'replicas'
        } of an app share its ID. Open one by its own ID.`}
      />
      <DataTable
        id="choose-cvm"
        noun={['CVM', 'CVMs']}
        columns={by === 'admin' ? [...columns, team] : columns}
        rows={rows}
        rowId={({ vmUuid }) => vmUuid}
        rowName={({ name }) => name}
        rowHref={({ vmUuid }) => (by === 'admin' ? adminCvmPath(vmUuid) : cvmPath(teamSlug, vmUuid))}
        empty={<EmptyState picture="search">None of them exists anymore.</EmptyState>}
      />
    </>
  );
}
