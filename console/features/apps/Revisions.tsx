import { useSuspenseQuery } from '@tanstack/react-query';
import type { AppRevision } from '../../../generated/api/types.gen';
import { CopyId } from '../../ui/data/CopyId';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { StatusChip } from '../../ui/feedback/StatusChip';
import { Part } from './Part';
import { revisionsOptions } from './queries';

const columns: Column<AppRevision>[] = [
  { id: 'number', header: 'Revision', cell: (revision) => `Revision ${revision.revision_number}` },
  {
    id: 'state',
    header: 'State',
    width: 140,
    phone: 'end',
    cell: (revision) => <StatusChip quiet status={revision.state} />,
  },
  {
    id: 'hash',
    header: 'Compose hash',
    width: 180,
    phone: 'meta',
    cell: (revision) => <CopyId id={revision.compose_hash} what="compose hash" />,
  },
  {
    id: 'why',
    header: 'Made by',
    width: 140,
    priority: 3,
    phone: 'hide',
    cell: (revision) => revision.operation_type.replaceAll('_', ' '),
  },
  {
    id: 'envs',
    header: 'Secrets',
    width: 90,
    align: 'right',
    priority: 3,
    phone: 'hide',
    cell: (revision) => revision.allowed_envs.length,
  },
  {
    id: 'author',
    header: 'Author',
    width: 150,
    priority: 2,
    phone: 'hide',
    cell: (revision) => revision.triggered_by?.username ?? '—',
  },
  {
    id: 'at',
    header: 'Made',
    width: 112,
    phone: 'meta',
    cell: (revision) => <RelativeTime at={revision.created_at} />,
  },
];

/** What was deployed, newest first; each is immutable and known by its hash. */
export function Revisions({ teamSlug, appId }: { teamSlug: string; appId: string }) {
  const { data } = useSuspenseQuery(revisionsOptions(teamSlug, appId));
  return (
    <Part title="Revisions">
      {(heading) => (
        <DataTable
          id="app-revisions"
          filters={heading}
          label={data.total === 1 ? 'revision' : 'revisions'}
          columns={columns}
          rows={data.revisions}
          rowId={(revision) => revision.revision_id}
          rowName={(revision) => `revision ${revision.revision_number}`}
          paging={{ total: data.total }}
          empty={
            <EmptyState>
              A revision appears with each deployment and each change of compose or secrets.
            </EmptyState>
          }
        />
      )}
    </Part>
  );
}
