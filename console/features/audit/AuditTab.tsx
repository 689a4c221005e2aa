import { MoreButton } from '../../ui/data/MoreButton';
import { Button } from '../../ui/controls/Button';
import { ExportLinks } from '../../ui/controls/ExportLinks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { problemOf } from '../../api/problem';
import { useMay } from '../../api/session';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { Panel } from '../../ui/layout/Panel';
import { AuditFilters } from './AuditFilters';
import { AuditTable } from './AuditTable';
import { auditOptions } from './queries';
import { exportHref, isFiltered, type AuditSearch } from './search';

export interface AuditTabProps {
  slug: string;
  /** The parsed address, from `auditSearch`. */
  search: AuditSearch;
  /** Navigates to another search; `replace` while typing. */
  onSearch: (next: AuditSearch, options: { replace: boolean }) => void;
}

/** The team's audit log, filtered by the address. Entries expand to show what changed. */
export function AuditTab(props: AuditTabProps) {
  const may = useMay('team.audit', props.slug);
  if (may.allowed) return <AuditLog {...props} />;
  return (
    <Panel title="Audit log" untitled>
      <EmptyState picture="access" title="Admins and owners only">
        {may.reason}
      </EmptyState>
    </Panel>
  );
}

function AuditLog({ slug, search, onSearch }: AuditTabProps) {
  const { data, error, refetch, isPlaceholderData, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery({ ...auditOptions(slug, search), placeholderData: keepPreviousData });
  const entries = data?.pages.flatMap((page) => page.data);
  const problem = problemOf(error, 'Couldn’t load the audit log', () => void refetch());
  return (
    <Panel
      title="Audit log"
      untitled
      subtitle="Entries are tamper-evident: each includes the hash of the one before it."
      actions={<ExportLinks href={(format) => exportHref(slug, format, search)} />}
    >
      <AuditFilters slug={slug} search={search} onSearch={onSearch} entries={entries ?? []} />
      {problem && <ErrorNotice problem={problem} />}
      {!entries ? (
        !problem && <RowsSkeleton rows={10} label="Loading the audit log" />
      ) : entries.length === 0 ? (
        <Nothing filtered={isFiltered(search)} onClear={() => onSearch({}, { replace: false })} />
      ) : (
        <AuditTable
          entries={entries}
          refreshing={isPlaceholderData}
          onFilter={(more) => onSearch({ ...search, ...more }, { replace: false })}
        />
      )}
      <MoreButton list={{ hasNextPage, isFetchingNextPage, fetchNextPage }} />
    </Panel>
  );
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered)
    return <EmptyState picture="events">No entries yet. Changes in this team appear here.</EmptyState>;
  return (
    <EmptyState
      picture="search"
      title="No matches"
      action={
        <Button size="small" onClick={onClear}>
          Show all entries
        </Button>
      }
    >
      The search covers actions, IDs, target names and user names.
    </EmptyState>
  );
}
