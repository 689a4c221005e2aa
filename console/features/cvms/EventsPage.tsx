import ChevronRightRounded from '@mui/icons-material/ChevronRightRounded';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ActivityEvent, Operation } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { EventList } from '../../ui/data/EventList';
import { FilterChips } from '../../ui/data/FilterChips';
import { Elapsed, RelativeTime } from '../../ui/data/RelativeTime';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { SelectInput } from '../../ui/forms/SelectInput';
import { Panel } from '../../ui/layout/Panel';
import { color, focusRingInset, radius, space, type } from '../../ui/theme';
import { useCvmAddress } from './address';
import { OperationBody } from './OperationCard';
import { OperationChip } from './OperationChip';
import { operationWords } from './operationSteps';
import { toEventItem } from './OverviewPage';
import { eventsOptions, operationsOptions } from './queries';
import { type EventsSearch, eventsSearch, KINDS, SEVERITIES } from './search';

const List = styled('ol')({
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
  overflow: 'hidden',
});
const Item = styled('details')({
  borderBottom: `1px solid ${color.line}`,
  'li:last-of-type > &': { borderBottom: 0 },
  '& > summary': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: `${space(1)} ${space(3)}`,
    padding: `${space(2.5)} ${space(4)}`,
    cursor: 'pointer',
    listStyle: 'none',
    '&:hover': { backgroundColor: color.hover },
    '&:focus-visible': focusRingInset,
  },
});
const Chevron = styled('span')({
  display: 'inline-flex',
  fontSize: 18,
  color: color.muted,
  'details[open] > summary > &': { transform: 'rotate(90deg)' },
});
const Name = styled('span')({ ...type.body, fontWeight: 550, minWidth: 88 });
const Sub = styled('span')({ ...type.small, color: color.muted });
const Body = styled('div')({
  display: 'grid',
  gap: space(4),
  padding: `${space(2)} ${space(4)} ${space(4)}`,
});
const Filters = styled('div')({
  display: 'grid',
  gap: space(3),
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 200px), 220px))',
  marginBottom: space(3),
});
const More = styled('div')({ marginTop: space(3) });

/** Every change with its steps, and everything else that happened. */
export function EventsPage() {
  const search = eventsSearch(useSearch({ strict: false }));
  return (
    <>
      <Operations />
      <Events search={search} />
    </>
  );
}

function Operations() {
  const { teamSlug, vmUuid } = useCvmAddress();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    operationsOptions(teamSlug, vmUuid),
  );
  const operations = data?.pages.flatMap((page) => page.data);
  const problem = data ? null : problemOf(error, 'The operations could not be read', () => void refetch());
  return (
    <Panel title="Operations">
      {problem ? (
        <ErrorNotice problem={problem} />
      ) : !operations ? (
        <RowsSkeleton rows={4} />
      ) : operations.length === 0 ? (
        <EmptyState>Nothing has been changed yet.</EmptyState>
      ) : (
        <List>
          {operations.map((operation) => (
            <li key={operation.correlation_id}>
              <OperationRow operation={operation} />
            </li>
          ))}
        </List>
      )}
      <Older {...{ hasNextPage, isFetchingNextPage }} onMore={() => void fetchNextPage()} />
    </Panel>
  );
}

function OperationRow({ operation }: { operation: Operation }) {
  const { type: kind, state, created_at, started_at, finished_at, requested_by } = operation;
  const live = state === 'queued' || state === 'running';
  return (
    <Item open={live || undefined}>
      <summary>
        <Chevron aria-hidden>
          <ChevronRightRounded fontSize="inherit" />
        </Chevron>
        <Name>{operationWords[kind]}</Name>
        <OperationChip state={state} />
        <Sub>
          <RelativeTime at={created_at} />
          {requested_by?.username ? ` · ${requested_by.username}` : ' · by itself'}
        </Sub>
        <Sub style={{ marginLeft: 'auto' }}>
          {started_at !== null && (
            <>
              {live ? 'for ' : 'took '}
              <Elapsed since={started_at} until={finished_at} />
            </>
          )}
        </Sub>
      </summary>
      <Body>
        <OperationBody operation={operation} />
      </Body>
    </Item>
  );
}

function Events({ search }: { search: EventsSearch }) {
  const { teamSlug, vmUuid } = useCvmAddress();
  const navigate = useNavigate();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    eventsOptions(teamSlug, vmUuid, search.kind),
  );
  const events = data?.pages.flatMap((page) => page.data);
  const shown = events?.filter(
    ({ severity }) => search.severity === undefined || severity === search.severity,
  );
  const problem = data ? null : problemOf(error, 'The events could not be read', () => void refetch());
  const set = (next: EventsSearch) => void navigate({ to: '.', search: next, replace: true });
  const without = (id: string) =>
    id === 'kind'
      ? set(search.severity ? { severity: search.severity } : {})
      : set(search.kind ? { kind: search.kind } : {});
  return (
    <Panel title="Events">
      <Filters>
        <SelectInput
          label="Kind"
          value={search.kind ?? ''}
          choices={[{ value: '', label: 'All' }, ...KINDS.map((value) => ({ value, label: capital(value) }))]}
          onChange={(event) =>
            set({
              ...eventsSearch({ kind: event.target.value }),
              ...(search.severity ? { severity: search.severity } : {}),
            })
          }
        />
        <SelectInput
          label="Severity"
          value={search.severity ?? ''}
          choices={[
            { value: '', label: 'All' },
            ...SEVERITIES.map((value) => ({ value, label: capital(value) })),
          ]}
          onChange={(event) =>
            set({
              ...eventsSearch({ severity: event.target.value }),
              ...(search.kind ? { kind: search.kind } : {}),
            })
          }
        />
      </Filters>
      <FilterChips
        filters={[
          ...(search.kind ? [{ id: 'kind', label: 'Kind', value: capital(search.kind) }] : []),
          ...(search.severity
            ? [{ id: 'severity', label: 'Severity', value: capital(search.severity) }]
            : []),
        ]}
        onRemove={without}
        onClear={() => set({})}
      />
      {problem ? (
        <ErrorNotice problem={problem} />
      ) : !shown ? (
        <RowsSkeleton rows={6} />
      ) : shown.length === 0 ? (
        <EmptyState>{noEvents(events ?? [], search, hasNextPage)}</EmptyState>
      ) : (
        <EventList label="Events" events={shown.map(toEventItem)} />
      )}
      <Older {...{ hasNextPage, isFetchingNextPage }} onMore={() => void fetchNextPage()} />
    </Panel>
  );
}

function noEvents(all: readonly ActivityEvent[], search: EventsSearch, more: boolean): string {
  if (search.severity !== undefined && all.length > 0)
    return `None of the ${all.length} events read so far is of this severity${more ? '; older ones may be' : ''}.`;
  return search.kind === undefined ? 'Nothing has happened yet.' : 'There is no event of this kind.';
}

function Older({
  hasNextPage,
  isFetchingNextPage,
  onMore,
}: {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  onMore: () => void;
}) {
  if (!hasNextPage) return null;
  return (
    <More>
      <Button size="small" disabled={isFetchingNextPage} onClick={onMore}>
        {isFetchingNextPage ? 'Reading…' : 'Show older'}
      </Button>
    </More>
  );
}

const capital = (word: string) => (word === 'cvm' ? 'CVM' : word.charAt(0).toUpperCase() + word.slice(1));
