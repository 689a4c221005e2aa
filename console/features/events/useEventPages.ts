import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ActivityEvent } from '../../../generated/api/types.gen';
import { type AskedEvents, newestOptions, pagesOptions } from './queries';

/** Fewer rows than these, and the search for what is rare goes on by itself. */
const ENOUGH = 20;
/** Pages asked for without being told to; each looks through tens of thousands of events. */
const BY_ITSELF = 10;

/** The events, newest first, with what happens now on top; older ones when asked for. */
export function useEventPages(asked: AskedEvents) {
  const queryClient = useQueryClient();
  const pages = useInfiniteQuery(pagesOptions(asked));
  const { data, dataUpdatedAt, hasNextPage, isFetching, fetchNextPage } = pages;
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

  // More happened than a page holds while nobody looked: the two do not meet, so all is asked for anew.
  const apart = newest.data !== undefined && first !== undefined && !meets(newest.data, first);
  useEffect(() => {
    if (apart) void queryClient.resetQueries({ queryKey: pagesOptions(asked).queryKey, exact: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `asked` is made anew at each render
  }, [apart]);

  const few = events !== undefined && events.length < ENOUGH && (data?.pages.length ?? 0) < BY_ITSELF;
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
  if (fresh.length === 0) return [...older];
  // A transaction that ended late brings a number below others that are shown already.
  return [...fresh, ...older].sort((a, b) => Number(b.id) - Number(a.id));
}
