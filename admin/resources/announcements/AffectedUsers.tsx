import { useParams } from 'react-admin';
import type { AdminAffectedUser } from '../../../generated/api/types.gen';
import { count } from '../../../console/lib/texts/count';
import { DataTable, type Column } from '../../../console/ui/data/DataTable';
import { RelativeTime } from '../../../console/ui/data/RelativeTime';
import { EmptyState } from '../../../console/ui/feedback/EmptyState';
import { Panel } from '../../../console/ui/layout/Panel';
import { problemOf } from '../../http';
import { adminHref } from '../../paths';
import type { ResourceDescription } from '../../schema/types';
import { RecordFrame } from '../RecordFrame';
import { usePagedRows } from '../usePagedRows';

const columns: Column<AdminAffectedUser>[] = [
  { id: 'username', header: 'User', cell: ({ username }) => username },
  { id: 'email', header: 'Email', cell: ({ email }) => email },
  {
    id: 'workspaces',
    header: 'Teams',
    priority: 2,
    cell: ({ workspaces, workspace_names }) =>
      workspaces.length === 0 ? (
        'Everyone'
      ) : (
        <span title={workspaces.join(', ')}>{workspace_names.join(', ')}</span>
      ),
  },
  {
    id: 'dismissed_at',
    header: 'Dismissed',
    width: 128,
    cell: ({ dismissed_at }) => (dismissed_at === null ? '—' : <RelativeTime at={dismissed_at} />),
  },
];

/** Users in an announcement's audience, including that of a draft. */
export function AffectedUsers({ resource }: { resource: ResourceDescription }) {
  const { id = '' } = useParams();
  const { data, error, isPlaceholderData, paging, refetch } = usePagedRows<AdminAffectedUser>(
    `/announcements/${id}/affected-users`,
  );
  return (
    <RecordFrame resource={resource} label="Affected users">
      {({ state }) => (
        <Panel
          title={data ? `Affected users (${count(data.total)})` : 'Affected users'}
          subtitle={state === 'draft' ? 'Users who would see it if published now.' : 'Current audience.'}
        >
          <DataTable<AdminAffectedUser>
            id="announcement-users"
            label="Affected users"
            noun={['affected user', 'affected users']}
            columns={columns}
            rows={data?.rows ?? (error ? [] : undefined)}
            rowId={(row) => String(row.id)}
            rowName={({ username }) => username}
            rowHref={(row) => adminHref.show('users', row.id)}
            refreshing={isPlaceholderData}
            paging={paging}
            problem={error ? problemOf(error, 'Couldn’t load users', () => void refetch()) : null}
            empty={
              <EmptyState picture="members" title="No users">
                Its audience currently has no active users.
              </EmptyState>
            }
          />
        </Panel>
      )}
    </RecordFrame>
  );
}
