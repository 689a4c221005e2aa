import DownloadRounded from '@mui/icons-material/DownloadRounded';
import LockOutlined from '@mui/icons-material/LockOutlined';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { problemOf } from '../../api/problem';
import { useMay } from '../../api/session';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { Panel } from '../../ui/layout/Panel';
import { space } from '../../ui/theme';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { AuditFilters } from './AuditFilters';
import { AuditTable } from './AuditTable';
import { auditOptions } from './queries';
import { exportHref, isFiltered, type AuditSearch } from './search';

const Buttons = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });
const More = styled('div')({ marginTop: space(3) });

export interface AuditTabProps {
  slug: string;
  /** What the address says; read with `auditSearch`. */
  search: AuditSearch;
  /** Puts another search into the address; `replace` while somebody is typing. */
  onSearch: (next: AuditSearch, options: { replace: boolean }) => void;
}

/** Who did what in this team: filtered by the address, each entry unfolding to what it changed. */
export function AuditTab(props: AuditTabProps) {
  const may = useMay('team.audit', props.slug);
  if (may.allowed) return <AuditLog {...props} />;
  return (
    <Panel title="Audit log">
      <EmptyState icon={<LockOutlined fontSize="inherit" />} title="For admins and owners">
        {may.reason}
      </EmptyState>
    </Panel>
  );
}

function AuditLog({ slug, search, onSearch }: AuditTabProps) {
  const { data, error, refetch, isPlaceholderData, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery({ ...auditOptions(slug, search), placeholderData: keepPreviousData });
  const entries = data?.pages.flatMap((page) => page.data);
  const problem = problemOf(error, 'The audit log could not be read', () => void refetch());
  return (
    <Panel
      title="Audit log"
      subtitle="Every change in this team. An entry can be neither changed nor removed: each is sealed by the one after it."
      actions={
        <Buttons>
          <Export href={exportHref(slug, 'csv', search)}>CSV</Export>
          <Export href={exportHref(slug, 'jsonl', search)}>JSON lines</Export>
        </Buttons>
      }
    >
      <AuditFilters slug={slug} search={search} onSearch={onSearch} entries={entries ?? []} />
      {problem && <ErrorNotice problem={problem} />}
      {!entries ? (
        !problem && <Loading />
      ) : entries.length === 0 ? (
        <Nothing filtered={isFiltered(search)} onClear={() => onSearch({}, { replace: false })} />
      ) : (
        <AuditTable
          entries={entries}
          refreshing={isPlaceholderData}
          onFilter={(more) => onSearch({ ...search, ...more }, { replace: false })}
        />
      )}
      {hasNextPage && (
        <More>
          <Button size="small" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage ? 'Reading…' : 'Show older'}
          </Button>
        </More>
      )}
    </Panel>
  );
}

/** The browser's own download: it streams to disk, however long the log is. */
function Export({ href, children }: { href: string; children: string }) {
  return (
    <Button size="small" component="a" href={href} download startIcon={<DownloadRounded />}>
      <span>
        <VisuallyHidden>Export as </VisuallyHidden>
        {children}
      </span>
    </Button>
  );
}

function Loading() {
  return (
    <div role="status">
      <VisuallyHidden>Loading the audit log</VisuallyHidden>
      <RowsSkeleton rows={10} />
    </div>
  );
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered) return <EmptyState>What people of this team change is listed here.</EmptyState>;
  return (
    <EmptyState
      title="No entry fits"
      action={
        <Button size="small" onClick={onClear}>
          Show all entries
        </Button>
      }
    >
      Search looks in actions, ids and names of what was changed, and names of people.
    </EmptyState>
  );
}
