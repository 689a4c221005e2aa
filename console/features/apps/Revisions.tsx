import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AppRevision } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { useMay } from '../../api/session';
import { CopyId } from '../../ui/data/CopyId';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { StatusChip } from '../../ui/feedback/StatusChip';
import { Part } from './Part';
import { appCvmsOptions, REVISIONS_PAGE, revisionsOptions } from './queries';
import { RollBackDialog } from './revisions/RollBackDialog';
import { revisionsPath } from './revisions/search';

const columns: Column<AppRevision>[] = [
  { id: 'number', header: 'Revision', cell: (revision) => `Revision ${revision.revision_number}` },
  {
    id: 'state',
    header: 'State',
    width: 130,
    phone: 'end',
    cell: (revision) => (
      <StatusChip quiet status={revision.state} {...(revision.state === 'draft' ? { title: DRAFT } : {})} />
    ),
  },
  {
    id: 'why',
    header: 'Why',
    width: 220,
    priority: 2,
    phone: 'meta',
    cell: (revision) => <span title={whyOf(revision)}>{whyOf(revision)}</span>,
  },
  {
    id: 'hash',
    header: 'Compose hash',
    width: 170,
    priority: 3,
    phone: 'hide',
    cell: (revision) => <CopyId id={revision.compose_hash} what="compose hash" />,
  },
  {
    id: 'author',
    header: 'Author',
    width: 140,
    priority: 2,
    phone: 'hide',
    cell: (revision) => revision.triggered_by?.username ?? '—',
  },
  {
    id: 'cvms',
    header: 'CVMs',
    width: 72,
    align: 'right',
    priority: 3,
    phone: 'hide',
    cell: (revision) => revision.cvm_count,
  },
  {
    id: 'at',
    header: 'Made',
    width: 112,
    phone: 'meta',
    cell: (revision) => <RelativeTime at={revision.created_at} />,
  },
];

const DRAFT = 'No CVM has run it: its update is under way, failed or was cancelled.';

function whyOf({ reason, restores, operation_type }: AppRevision): string {
  if (reason) return reason;
  if (restores) return `Brings back revision ${restores.revision_number}`;
  return operation_type.replaceAll('_', ' ');
}

interface Props {
  teamSlug: string;
  appId: string;
  page: number;
}

/** What was deployed, newest first; each is immutable and known by its hash. A row opens what it changed. */
export function Revisions({ teamSlug, appId, page }: Props) {
  const { data, error, refetch, isPlaceholderData } = useQuery(revisionsOptions(teamSlug, appId, page));
  const { data: cvms } = useQuery(appCvmsOptions(teamSlug, appId));
  const may = useMay('cvms.write', teamSlug);
  const [back, setBack] = useState<AppRevision | null>(null);
  const rows = data?.revisions;
  const at = (to: number) => revisionsPath(teamSlug, appId, to > 1 ? { page: to } : {});
  const shutBecause = (revision: AppRevision) =>
    may.reason ??
    (cvms?.length === 0
      ? 'No CVM of the app is left: deploy it anew.'
      : revision.state === 'live' && revision.cvm_count === cvms?.length
        ? 'Every CVM runs it already.'
        : undefined);
  return (
    <>
      <Part title="Revisions">
        {(heading) => (
          <DataTable
            id="app-revisions"
            filters={heading}
            label={data?.total === 1 ? 'revision' : 'revisions'}
            columns={columns}
            rows={rows}
            refreshing={isPlaceholderData}
            problem={problemOf(error, 'The revisions could not be read', () => void refetch())}
            rowId={(revision) => revision.revision_id}
            rowName={(revision) => `revision ${revision.revision_number}`}
            rowHref={(revision) => revisionsPath(teamSlug, appId, { to: revision.revision_id })}
            rowActions={(revision) => {
              const shut = shutBecause(revision);
              return [
                {
                  id: 'back',
                  label: 'Bring it back…',
                  onSelect: () => setBack(revision),
                  ...(shut === undefined ? {} : { disabledReason: shut }),
                },
              ];
            }}
            paging={{
              offset: (page - 1) * REVISIONS_PAGE,
              ...(data ? { total: data.total } : {}),
              ...(page > 1 ? { previous: at(page - 1) } : {}),
              ...(data && page < data.total_pages ? { next: at(page + 1) } : {}),
            }}
            empty={
              <EmptyState>
                A revision appears with each deployment and each change of compose or secrets.
              </EmptyState>
            }
          />
        )}
      </Part>
      {back && (
        <RollBackDialog
          teamSlug={teamSlug}
          appId={appId}
          revision={back}
          count={cvms?.length ?? 0}
          onClose={() => setBack(null)}
        />
      )}
    </>
  );
}
