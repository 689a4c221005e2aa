import type { QueryClient } from '@tanstack/react-query';
import {
  getAppsSummaryOptions,
  listAppsOptions,
  listEventsOptions,
  listRecycledCvmsInfiniteOptions,
} from '../../../../generated/api/@tanstack/react-query.gen';
import type { RecycledCvmPage } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { STATUS_FILTERS, type TeamHomeSearch } from './search';

export const PAGE_SIZE = 25;

export const appsOptions = (teamSlug: string, { q, status, sort, order, page = 1 }: TeamHomeSearch) =>
  listAppsOptions({
    ...inTeam(teamSlug),
    query: {
      page,
      page_size: PAGE_SIZE,
      ...(q === undefined ? {} : { search: q }),
      ...(sort === undefined ? {} : { sort, order: order ?? 'asc' }),
      ...(status === undefined ? {} : { status: [...STATUS_FILTERS[status].statuses] }),
    },
  });

/** All apps' CVMs by status, and their total cost. */
export const summaryOptions = (teamSlug: string) => getAppsSummaryOptions(inTeam(teamSlug));

/** CVMs deleted in the last 24 hours. */
export const recycleBinOptions = (teamSlug: string) => ({
  ...listRecycledCvmsInfiniteOptions({ ...inTeam(teamSlug), query: { limit: 50 } }),
  initialPageParam: {},
  getNextPageParam: ({ pagination }: RecycledCvmPage) =>
    pagination.has_more ? pagination.next_cursor : null,
  // No event announces CVMs entering or leaving the bin, so an open bin polls.
  refetchInterval: 10_000,
});

export const recentEventsOptions = (teamSlug: string) =>
  // More events than rows, because an operation becomes one row. Boot steps are on the CVM's own page.
  listEventsOptions({ ...inTeam(teamSlug), query: { q: '-kind:boot,host.boot', limit: 24 } });

export async function loadTeamHome(
  queryClient: QueryClient,
  teamSlug: string,
  search: TeamHomeSearch,
): Promise<void> {
  await Promise.all([
    queryClient.ensureQueryData(appsOptions(teamSlug, search)),
    queryClient.ensureQueryData(summaryOptions(teamSlug)),
    queryClient.ensureQueryData(recentEventsOptions(teamSlug)),
    ...(search.show === 'bin' ? [queryClient.ensureInfiniteQueryData(recycleBinOptions(teamSlug))] : []),
  ]);
}
