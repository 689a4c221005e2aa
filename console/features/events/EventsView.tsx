import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { ActivityEvent } from '../../../generated/api/types.gen';
import { isApiError } from '../../api/apiError';
import { problemOf } from '../../api/problem';
import { parseEventQuery } from '../../lib/query/events';
import { type QueryError, printQuery } from '../../lib/query/syntax';
import { count } from '../../ui/data/count';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { Panel } from '../../ui/layout/Panel';
import { QueryBuilder } from '../../ui/query/QueryBuilder';
import { enter, type Suggestion } from '../../ui/query/queryDraft';
import { color, space, type } from '../../ui/theme';
import { EventRow, type EventLinks } from './EventRow';
import { eventOptions, type EventsScope } from './queries';
import type { EventsSearch } from './search';
import { keysFor, suggestEvents } from './suggestEvents';
import { useEventPages } from './useEventPages';

const Top = styled('div')({ display: 'grid', gap: space(3), marginBottom: space(4) });
const List = styled('ol')({ borderTop: `1px solid ${color.line}` });
const More = styled('div')({
  ...type.small,
  display: 'flex',
  alignItems: 'center',
  gap: space(3),
  marginTop: space(3),
  color: color.muted,
});

export interface EventsViewProps {
  teamSlug: string;
  scope: EventsScope;
  search: EventsSearch;
  onSearch: (search: EventsSearch) => void;
  /** Addresses of what an event is about. */
  links: EventLinks;
  /** What the operation of an event is doing or did. */
  operation?: (correlation_id: string) => ReactNode;
  /** Values for the search box beside those on screen. */
  values?: Readonly<Record<string, readonly Suggestion[]>>;
  subtitle?: string;
}

/** Everything that happened, newest first and live; searched by the query in the address, one event opened by it. */
export function EventsView(props: EventsViewProps) {
  const { teamSlug, scope, search, onSearch, links, operation, values = {}, subtitle } = props;
  const { q = '', event: chosen } = search;
  // An address that names an event opens the list there. A click later on opens the event where it stands.
  const [from, setFrom] = useState(chosen);
  const keys = keysFor(scope);
  const faulty = parseEventQuery(q).errors.length > 0;
  const asked = { teamSlug, scope, q: faulty ? '' : q, from };
  const { events, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, searching } =
    useEventPages(asked);
  const refused = faultsOf(error);
  const problem =
    events || refused ? null : problemOf(error, 'The events could not be read', () => void refetch());

  const put = (next: string) => {
    setFrom(undefined);
    onSearch(next === '' ? {} : { q: next });
  };
  const narrow = (part: string) => {
    const { terms, errors } = enter(parseEventQuery(q).terms, part, keys);
    if (errors.length === 0) put(printQuery(terms));
  };
  const choose = (id: string | undefined) =>
    onSearch({ ...(q === '' ? {} : { q }), ...(id === undefined ? {} : { event: id }) });

  return (
    <Panel title="Events" {...(subtitle === undefined ? {} : { subtitle })}>
      <Top>
        <QueryBuilder
          label="Search events"
          keys={keys}
          value={q}
          onChange={put}
          suggest={suggestEvents(events ?? [], values)}
          errors={refused ?? []}
          placeholder="kind:update.failed, severity:error or text"
        />
        {from !== undefined && events && (
          <Notice
            tone="neutral"
            action={
              <Button size="small" style={{ flex: 'none' }} onClick={() => setFrom(undefined)}>
                Show the newest
              </Button>
            }
          >
            The list begins at the event of this address.
          </Notice>
        )}
        {chosen !== undefined && events && !events.some(({ id }) => id === chosen) && (
          <Elsewhere
            teamSlug={teamSlug}
            id={chosen}
            links={links}
            operation={operation}
            narrow={narrow}
            onClose={() => choose(undefined)}
          />
        )}
      </Top>
      {problem ? (
        <ErrorNotice problem={problem} />
      ) : refused ? null : !events ? (
        <RowsSkeleton rows={8} />
      ) : events.length === 0 && !searching ? (
        <EmptyState
          {...(q === '' ? {} : { action: <Button onClick={() => put('')}>Show all events</Button> })}
        >
          {q === ''
            ? 'Nothing has happened yet.'
            : hasNextPage
              ? 'None found yet.'
              : 'No event fits this search.'}
        </EmptyState>
      ) : (
        <List aria-label="Events">
          {events.map((event) => (
            <EventRow
              key={event.id}
              event={event}
              open={event.id === chosen}
              // Not when one opens it by hand: then it is on screen.
              scrollTo={event.id === chosen && from === chosen}
              onToggle={() => choose(event.id === chosen ? undefined : event.id)}
              {...{ links, operation, narrow }}
            />
          ))}
        </List>
      )}
      {events && (
        <More role="status">
          {searching || isFetchingNextPage ? (
            'Looking through older events…'
          ) : hasNextPage ? (
            <>
              <Button size="small" onClick={() => void fetchNextPage()}>
                {events.length === 0 ? 'Search older events' : 'Show older'}
              </Button>
              {events.length > 0 && `${count(events.length)} shown`}
            </>
          ) : (
            events.length > 0 &&
            `${count(events.length)} ${events.length === 1 ? 'event' : 'events'}; they are kept for 400 days.`
          )}
        </More>
      )}
    </Panel>
  );
}

/** What the server found wrong with the query, at its place; null for any other error. */
function faultsOf(error: unknown): QueryError[] | null {
  if (!isApiError(error, 422)) return null;
  const faults = error.fields.flatMap(({ field, message, value }): QueryError[] => {
    const place = typeof value === 'string' ? /^(\d+)-(\d+)$/.exec(value) : null;
    return field === 'q' && place ? [{ message, start: Number(place[1]), end: Number(place[2]) }] : [];
  });
  return faults.length > 0 ? faults : null;
}

/** The event of the address when the search leaves it out, or it is gone. */
function Elsewhere({
  teamSlug,
  id,
  onClose,
  ...row
}: { teamSlug: string; id: string; onClose: () => void } & Pick<
  Parameters<typeof EventRow>[0],
  'links' | 'operation' | 'narrow'
>) {
  const { data, error } = useQuery(eventOptions(teamSlug, id));
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => shown.current?.scrollIntoView({ block: 'nearest' }), [data]);
  const problem = problemOf(error, 'The event of this address cannot be shown');
  if (problem) return <ErrorNotice problem={problem} />;
  if (!data) return null;
  return (
    <div ref={shown}>
      <Notice tone="neutral" title="The search leaves this event out">
        <List aria-label="The event of this address">
          <EventRow event={data as ActivityEvent} open scrollTo={false} onToggle={onClose} {...row} />
        </List>
      </Notice>
    </div>
  );
}
