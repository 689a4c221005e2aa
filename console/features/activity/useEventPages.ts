import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ActivityEvent } from '../../../generated/api/types.gen';
import { newestFirst } from '../../lib/activity/events';
import { type AskedEvents, newestOptions, pagesOptions } from './queries';

/** Below this many rows, a search for rare events continues automatically. */
const ENOUGH = 20;
/** Maximum pages fetched automatically; each scans tens of thousands of events. */
const MAX_AUTO_PAGES = 10;

/** Events newest first, with live events on top and older ones on request. */
export function useEventPages(asked: AskedEvents) {
  const queryClient = useQueryClient();
  const pages = useInfiniteQuery(pagesOptions(asked));
  const { data, dataUpdatedAt, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = pages;
  const first = data?.pages[0];
  const newest = useQuery({
    ...newestOptions(asked),
    enabled: first !== undefined && asked.from === undefined,
    initialData: first,
    initialDataUpdatedAt: dataUpdatedAt,
    staleTime: Infinity,
  });
  const older = data?.pages.flatMap((page) => page.data);
  const events = older && merged(newest.data?.data ?? [], older);

  // More than a page of new events arrived, leaving a gap, so everything is refetched.
  const apart = newest.data !== undefined && first !== undefined && !meets(newest.data, first);
  useEffect(() => {
    if (apart) void queryClient.resetQueries({ queryKey: pagesOptions(asked).queryKey, exact: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `asked` is recreated on each render
  }, [apart]);

  // After an error the user decides whether to try again.
  const few =
    events !== undefined &&
    events.length < ENOUGH &&
    (data?.pages.length ?? 0) < MAX_AUTO_PAGES &&
    !isFetchNextPageError;
  useEffect(() => {
    if (few && hasNextPage && !isFetching) void fetchNextPage();
  }, [few, hasNextPage, isFetching, fetchNextPage]);

  return { ...pages, events, searching: few && hasNextPage };
}

type Page = { data: readonly ActivityEvent[]; pagination: { has_more: boolean } };

function meets(newest: Page, first: Page): boolean {
  const last = newest.data.at(-1);
  const top = first.data[0];
  return (
    !newest.pagination.has_more ||
    last === undefined ||
    top === undefined ||
    Number(last.id) <= Number(top.id)
  );
}

function merged(newest: readonly ActivityEvent[], older: readonly ActivityEvent[]): ActivityEvent[] {
  const seen = new Set(older.map(({ id }) => id));
  const fresh = newest.filter(({ id }) => !seen.has(id));
  return [...fresh, ...older].sort(newestFirst);
}
