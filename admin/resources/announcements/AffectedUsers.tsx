import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-admin';
import type { AdminAffectedUser } from '../../../generated/api/types.gen';
import { count } from '../../../console/lib/texts/count';
import { DataTable, type Column } from '../../../console/ui/data/DataTable';
import { RelativeTime } from '../../../console/ui/data/RelativeTime';
import { EmptyState } from '../../../console/ui/feedback/EmptyState';
import { Panel } from '../../../console/ui/layout/Panel';
import { fetchJson, problemOf } from '../../http';
import { adminHref } from '../../paths';
import type { ResourceDescription } from '../../schema/types';
import { RecordFrame } from '../RecordFrame';

const ROWS = 25;

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
  const [first, setFirst] = useState(0);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['announcement-users', id, first],
    queryFn: async ({ signal }) => {
      const range = encodeURIComponent(JSON.stringify([first, first + ROWS - 1]));
      const reply = await fetchJson(`/api/v1/admin/announcements/${id}/affected-users?range=${range}`, {
        signal,
      });
      const total = Number(reply.headers.get('Content-Range')?.split('/').at(-1) ?? 0);
      return { rows: reply.json as AdminAffectedUser[], total };
    },
    placeholderData: (before) => before,
    retry: false,
  });
  const total = data?.total ?? 0;
  return (
    <RecordFrame resource={resource} label="Affected users">
      {({ state }) => (
        <Panel
          title={data ? `Affected users (${count(total)})` : 'Affected users'}
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
            refreshing={isFetching && data !== undefined}
            paging={{
              offset: first,
              total,
              ...(first > 0 ? { previous: () => setFirst(first - ROWS) } : {}),
              ...(first + ROWS < total ? { next: () => setFirst(first + ROWS) } : {}),
            }}
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
