import { Button } from '../../ui/controls/Button';
import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ActivityEvent } from '../../../generated/api/types.gen';
import { isApiError } from '../../api/apiError';
import { problemOf } from '../../api/problem';
import { exportHref, keptFor } from '../../lib/activity/retention';
import { foldEvents } from '../../lib/activity/foldEvents';
import { parseEventQuery } from '../../lib/query/events';
import { type QueryError, printQuery } from '../../lib/query/syntax';
import { count } from '../../lib/texts/count';
import { ExportLinks } from '../../ui/controls/ExportLinks';
import { MoreButton } from '../../ui/data/MoreButton';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { Panel } from '../../ui/layout/Panel';
import { QueryBuilder } from '../../ui/query/QueryBuilder';
import { enter, type Suggestion } from '../../ui/query/queryDraft';
import { color, space, type } from '../../ui/theme';
import { EventRow, unfolded, type EventLinks, type RenderOperation } from './EventRow';
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
  /** Navigates to another search; `replace` while typing and for opening an event. */
  onSearch: (search: EventsSearch, options: { replace: boolean }) => void;
  /** Builds URLs for an event's subject. */
  links: EventLinks;
  /** Renders an event's operation. */
  operation?: RenderOperation;
  /** Suggested search values besides those on screen. */
  values?: Readonly<Record<string, readonly Suggestion[]>>;
  subtitle?: string;
}

/** All events, newest first and live. The URL holds the query and the opened event. */
export function EventsView(props: EventsViewProps) {
  const { teamSlug, scope, search, onSearch, links, operation, values = {}, subtitle } = props;
  const { q = '', event: chosen } = search;
  // A URL that names an event starts the list there. A later click opens the event in place.
  const [from, setFrom] = useState(chosen);
  const keys = keysFor(scope);
  const faulty = parseEventQuery(q).errors.length > 0;
  const asked = { teamSlug, scope, q: faulty ? '' : q, from };
  const { events, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, searching, ...pages } =
    useEventPages(asked);
  const refused = faultsOf(error);
  const problem =
    events || refused ? null : problemOf(error, 'Couldn’t load the events', () => void refetch());

  // A search finds single events, so nothing is folded then.
  const rows = q === '' ? foldEvents(events ?? [], chosen) : (events ?? []).map((event) => unfolded(event));

  const folded = rows.reduce((sum, { steps }) => sum + steps.length, 0);
  const counted = `${count(rows.length)} ${rows.length === 1 ? 'event' : 'events'}${
    folded === 0 ? '' : ` with ${count(folded)} ${folded === 1 ? 'step' : 'steps'}`
  }`;

  const put = (next: string, options: { replace: boolean }) => {
    setFrom(undefined);
    onSearch(next === '' ? {} : { q: next }, options);
  };
  const narrow = (part: string) => {
    const { terms, errors } = enter(parseEventQuery(q).terms, part, keys);
    if (errors.length === 0) put(printQuery(terms), { replace: false });
  };
  const choose = (id: string | undefined) =>
    onSearch({ ...(q === '' ? {} : { q }), ...(id === undefined ? {} : { event: id }) }, { replace: true });

  return (
    <Panel
      title="Events"
      {...(subtitle === undefined ? {} : { subtitle })}
      {...(faulty
        ? {}
        : {
            actions: (
              <ExportLinks
                href={(format) =>
                  exportHref(teamSlug, 'events', format, { ...scope, ...(q === '' ? {} : { q }) })
                }
              />
            ),
          })}
    >
      <Top>
        <QueryBuilder
          label="Search events"
          keys={keys}
          value={q}
          onChange={(next) => put(next, { replace: true })}
          suggest={suggestEvents(events ?? [], values)}
          errors={refused ?? []}
          placeholder="kind:update.failed, severity:error or text"
        />
        {from !== undefined && events && (
          <Notice
            tone="neutral"
            action={
              <Button size="small" style={{ flex: 'none' }} onClick={() => setFrom(undefined)}>
                Show latest
              </Button>
            }
          >
            The list starts at the linked event.
          </Notice>
        )}
        {chosen !== undefined && events && !events.some(({ id }) => id === chosen) && (
          <Elsewhere
            teamSlug={teamSlug}
            id={chosen}
            hasSearch={q !== ''}
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
          picture={q === '' ? 'events' : 'search'}
          {...(q === ''
            ? {}
            : { action: <Button onClick={() => put('', { replace: false })}>Show all events</Button> })}
        >
          {q === '' ? 'No events yet' : hasNextPage ? 'No matches yet' : 'No events match this search'}
        </EmptyState>
      ) : (
        <List aria-label="Events">
          {rows.map(({ event, ...folded }) => (
            <EventRow
              key={event.id}
              event={event}
              folded={folded}
              open={event.id === chosen}
              // Doesn't scroll when the user opens it, since it is already on screen.
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
            'Searching older events…'
          ) : pages.isFetchNextPageError ? (
            <ErrorNotice
              problem={problemOf(error, 'Couldn’t load older events', () => void fetchNextPage())!}
            />
          ) : hasNextPage ? (
            <>
              <MoreButton
                inline
                list={{ hasNextPage, isFetchingNextPage, fetchNextPage }}
                label={events.length === 0 ? 'Search older events' : 'Show older'}
              />
              {events.length > 0 && `${counted} shown`}
            </>
          ) : (
            events.length > 0 && `${counted}. Kept for ${keptFor('events')}.`
          )}
        </More>
      )}
    </Panel>
  );
}

/** The server's query error with its position; null for any other error. */
function faultsOf(error: unknown): QueryError[] | null {
  if (!isApiError(error, 422)) return null;
  const faults = error.fields.flatMap(({ field, message, value }): QueryError[] => {
    const place = typeof value === 'string' ? /^(\d+)-(\d+)$/.exec(value) : null;
    return field === 'q' && place ? [{ message, start: Number(place[1]), end: Number(place[2]) }] : [];
  });
  return faults.length > 0 ? faults : null;
}

/** The linked event when the search excludes it, it is older than the list or it no longer exists. */
function Elsewhere({
  teamSlug,
  id,
  hasSearch,
  onClose,
  ...row
}: { teamSlug: string; id: string; hasSearch: boolean; onClose: () => void } & Pick<
  Parameters<typeof EventRow>[0],
  'links' | 'operation' | 'narrow'
>) {
  const { data, error } = useQuery(eventOptions(teamSlug, id));
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => shown.current?.scrollIntoView({ block: 'nearest' }), [data]);
  const problem = problemOf(error, 'Couldn’t show the linked event');
  if (problem) return <ErrorNotice problem={problem} />;
  if (!data) return null;
  return (
    <div ref={shown}>
      <Notice tone="neutral" title={hasSearch ? 'This event doesn’t match the search' : 'Earlier event'}>
        <List aria-label="Linked event">
          <EventRow event={data as ActivityEvent} open scrollTo={false} onToggle={onClose} {...row} />
        </List>
      </Notice>
    </div>
  );
}
