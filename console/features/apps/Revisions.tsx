import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import type { AppRevision } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { capitalized } from '../../lib/texts/capitalized';
import { ownValue } from '../../lib/ownValue';
import { CopyId } from '../../ui/data/CopyId';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { StatusChip } from '../../ui/feedback/StatusChip';
import { color, type } from '../../ui/theme';
import { TableSection } from './TableSection';
import { REVISIONS_PAGE, revisionsOptions } from './queries';
import { useRollBack } from './revisions/useRollBack';
import { revisionsPath } from './revisions/search';

const Changed = styled('span')({
  ...type.small,
  display: 'block',
  color: color.muted,
  whiteSpace: 'normal',
  overflowWrap: 'anywhere',
});

const STATE_TITLES: Readonly<Record<string, string>> = {
  draft: 'No CVM has run this revision. Its update is in progress, failed or was canceled.',
  awaiting_approval: 'Its update is waiting for the app’s contract to allow its compose hash.',
  withdrawn: 'Its update was waiting for the app’s contract, then was withdrawn, superseded or expired.',
};

const columns: Column<AppRevision>[] = [
  { id: 'number', header: 'Revision', cell: (revision) => `Revision ${revision.revision_number}` },
  {
    id: 'state',
    header: 'State',
    // Fits the longest word.
    width: 176,
    phone: 'end',
    cell: ({ state }) => {
      const title = ownValue(STATE_TITLES, state);
      return <StatusChip quiet status={state} {...(title === undefined ? {} : { title })} />;
    },
  },
  {
    id: 'why',
    header: 'Reason',
    width: 220,
    phone: 'line',
    cell: (revision) => <Why revision={revision} />,
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
    header: 'Created',
    width: 112,
    phone: 'meta',
    cell: (revision) => <RelativeTime at={revision.created_at} />,
  },
];

function whyOf({ reason, restores, operation_type }: AppRevision): string {
  if (reason) return reason;
  if (restores) return `Rollback to revision ${restores.revision_number}`;
  return capitalized(operation_type.replaceAll('_', ' '));
}

/** The revision's reason, and the last change to secret values, which makes no new revision. */
function Why({ revision }: { revision: AppRevision }) {
  const [last, ...earlier] = revision.secret_changes;
  return (
    <>
      <span title={whyOf(revision)}>{whyOf(revision)}</span>
      {last && (
        <Changed title={revision.secret_changes.map(({ reason }) => reason ?? 'No reason given').join('\n')}>
          Secrets changed <RelativeTime at={last.changed_at} />
          {last.triggered_by?.username ? ` by ${last.triggered_by.username}` : ''}
          {last.reason === null ? '' : `: ${last.reason}`}
          {earlier.length > 0 ? ` (${earlier.length} earlier)` : ''}
        </Changed>
      )}
    </>
  );
}

interface Props {
  teamSlug: string;
  appId: string;
  page: number;
}

/** The app's revisions, newest first. Each is immutable and identified by its hash; a row opens its changes. */
export function Revisions({ teamSlug, appId, page }: Props) {
  const { data, error, refetch, isPlaceholderData } = useQuery(revisionsOptions(teamSlug, appId, page));
  const back = useRollBack(teamSlug, appId);
  const rows = data?.revisions;
  const at = (to: number) => revisionsPath(teamSlug, appId, to > 1 ? { page: to } : {});
  return (
    <>
      <TableSection title="Revisions">
        {(heading) => (
          <DataTable
            id="app-revisions"
            filters={heading}
            noun={['revision', 'revisions']}
            columns={columns}
            rows={rows}
            refreshing={isPlaceholderData}
            problem={problemOf(error, 'Couldn’t load the revisions', () => void refetch())}
            rowId={(revision) => revision.revision_id}
            rowName={(revision) => `revision ${revision.revision_number}`}
            rowHref={(revision) => revisionsPath(teamSlug, appId, { to: revision.revision_id })}
            rowActions={(revision) => {
              const refused = back.reasonAgainst(revision);
              return [
                {
                  id: 'back',
                  label: 'Roll back…',
                  onSelect: () => back.ask(revision),
                  ...(refused === undefined ? {} : { disabledReason: refused }),
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
              page > 1 ? (
                <EmptyState link={{ label: 'First page', href: at(1) }}>
                  There are no revisions on this page.
                </EmptyState>
              ) : (
                <EmptyState picture="revisions">
                  Each deployment and each change to the Compose file or secret names creates a revision.
                </EmptyState>
              )
            }
          />
        )}
      </TableSection>
      {back.dialog}
    </>
  );
}
