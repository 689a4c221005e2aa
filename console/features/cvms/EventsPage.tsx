import ChevronRightIcon from 'lucide-react/icons/chevron-right';
import { MoreButton } from '../../ui/data/MoreButton';
import { LinkButton } from '../../ui/controls/Button';
import styled from '@emotion/styled';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Operation } from '../../../generated/api/types.gen';
import { loadProblem, problemOf } from '../../api/problem';
import { Elapsed, RelativeTime } from '../../ui/data/RelativeTime';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { CardSkeleton, RowsSkeleton } from '../../ui/feedback/Skeletons';
import { KeepFocus } from '../../ui/KeepFocus';
import { Panel } from '../../ui/layout/Panel';
import { Sections } from '../../ui/layout/Sections';
import { color, focusRingInset, radius, space, type } from '../../ui/theme';
import { useCvmAddress, useCvmLink } from './address';
import { CancelOperation } from './CancelOperation';
import { OperationBody } from './OperationCard';
import { OperationChip } from './OperationChip';
import { operationTitle } from '../../lib/cvms/operationWords';
import { operationOptions, operationsOptions } from './queries';
import { isLive } from '../../lib/cvms/allowedActions';

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
const Actions = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });

/** Operations with their steps, above `events`. */
export function EventsPage({ events }: { events: ReactNode }) {
  const { teamSlug, vmUuid } = useCvmAddress();
  const { isPending } = useInfiniteQuery(operationsOptions(teamSlug, vmUuid));
  return (
    <Sections>
      <Operations />
      {/* Events load in parallel, but appear below the operations once their height is known, so that nothing
          moves. */}
      <div hidden={isPending}>{events}</div>
    </Sections>
  );
}

/** The operation an event belongs to, with its steps. */
export function OperationOfEvent({
  correlation_id,
  causeShown,
}: {
  correlation_id: string;
  /** Whether the event already shows why it failed. */
  causeShown: boolean;
}) {
  const { teamSlug } = useCvmAddress();
  const { data: operation, error } = useQuery(operationOptions(teamSlug, correlation_id, false));
  const problem = problemOf(error, 'Couldn’t load the operation');
  if (problem) return <ErrorNotice problem={problem} />;
  if (!operation) return <CardSkeleton lines={3} />;
  return (
    <KeepFocus>
      <OperationBody operation={operation} causeShown={causeShown} />
      <Actions>
        <CancelOperation operation={operation} teamSlug={teamSlug} />
      </Actions>
    </KeepFocus>
  );
}

function OperationDetails({ operation, teamSlug }: { operation: Operation; teamSlug: string }) {
  const link = useCvmLink();
  return (
    <KeepFocus>
      <OperationBody operation={operation} />
      <Actions>
        {operation.started_at !== null && (
          <LinkButton size="small" href={link('logs', { at: operation.started_at })}>
            Logs from this time
          </LinkButton>
        )}
        <CancelOperation operation={operation} teamSlug={teamSlug} />
      </Actions>
    </KeepFocus>
  );
}

function Operations() {
  const { teamSlug, vmUuid } = useCvmAddress();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    operationsOptions(teamSlug, vmUuid),
  );
  const operations = data?.pages.flatMap((page) => page.data);
  const problem = loadProblem({ data, error, refetch }, 'Couldn’t load the operations');
  return (
    <Panel title="Operations">
      {problem ? (
        <ErrorNotice problem={problem} />
      ) : !operations ? (
        <RowsSkeleton rows={4} />
      ) : operations.length === 0 ? (
        <EmptyState picture="events">No operations yet</EmptyState>
      ) : (
        <List>
          {operations.map((operation) => (
            <li key={operation.correlation_id}>
              <OperationRow operation={operation} teamSlug={teamSlug} />
            </li>
          ))}
        </List>
      )}
      <MoreButton list={{ hasNextPage, isFetchingNextPage, fetchNextPage }} />
    </Panel>
  );
}

function OperationRow({ operation, teamSlug }: { operation: Operation; teamSlug: string }) {
  const { state, created_at, finished_at, requested_by } = operation;
  const live = isLive(state);
  return (
    <Item open={live || undefined}>
      <summary>
        <Chevron aria-hidden>
          <ChevronRightIcon />
        </Chevron>
        <Name>{operationTitle(operation)}</Name>
        <OperationChip state={state} />
        <Sub>
          <RelativeTime at={created_at} />
          {requested_by?.username ? ` · ${requested_by.username}` : ' · System'}
        </Sub>
        <Sub style={{ marginLeft: 'auto' }}>
          {live ? 'for ' : 'took '}
          {/* Counts from the request, like the list of events. */}
          <Elapsed since={created_at} until={finished_at} />
        </Sub>
      </summary>
      <Body>
        <OperationDetails operation={operation} teamSlug={teamSlug} />
      </Body>
    </Item>
  );
}
