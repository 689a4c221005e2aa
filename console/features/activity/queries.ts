import { infiniteQueryOptions } from '@tanstack/react-query';
import { getEventOptions, listEventsOptions } from '../../../generated/api/@tanstack/react-query.gen';
import { listEvents } from '../../../generated/api/sdk.gen';
import type { ActivityEventPage } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';

/** The subject of the events. */
export interface EventsScope {
  cvm?: string;
  app_id?: string;
}

export interface AskedEvents {
  teamSlug: string;
  scope: EventsScope;
  q: string;
  /** Starts the list at this event instead of the newest. */
  from: string | undefined;
}

const PAGE = 50;

const queryOf = ({ scope, q, from }: AskedEvents) => ({
  ...scope,
  limit: PAGE,
  ...(q === '' ? {} : { q }),
  ...(from === undefined ? {} : { newest: from }),
});

/**
 * The loaded pages of events. Not refetched on new events: past events don't change, and new ones arrive through
 * `newestOptions`.
 */
export const pagesOptions = (asked: AskedEvents) =>
  infiniteQueryOptions({
    queryKey: ['pages of events', asked],
    queryFn: async ({ pageParam, signal }): Promise<ActivityEventPage> => {
      const { data } = await listEvents({
        ...inTeam(asked.teamSlug),
        query: { ...queryOf(asked), ...(pageParam === '' ? {} : { cursor: pageParam }) },
        signal,
        throwOnError: true,
      });
      return data;
    },
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.next_cursor : null),
    staleTime: Infinity,
  });

export const newestOptions = (asked: AskedEvents) =>
  listEventsOptions({ ...inTeam(asked.teamSlug), query: queryOf(asked) });

export const eventOptions = (teamSlug: string, event_id: string) => ({
  ...getEventOptions({ ...inTeam(teamSlug), path: { event_id } }),
  staleTime: Infinity,
});
