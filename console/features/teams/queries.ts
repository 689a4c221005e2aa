import type { QueryClient } from '@tanstack/react-query';
import {
  listAppsOptions,
  listCvmsPaginatedOptions,
  listEventsOptions,
  listRecycledCvmsInfiniteOptions,
} from '../../../generated/api/@tanstack/react-query.gen';
import type { RecycledCvmPage } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { STATUS_FILTERS, type TeamHomeSearch } from './search';

export const PAGE_SIZE = 25;

export const appsOptions = (teamSlug: string, { q, status, page = 1 }: TeamHomeSearch) =>
  listAppsOptions({
    ...inTeam(teamSlug),
    query: {
      page,
      page_size: PAGE_SIZE,
      ...(q === undefined ? {} : { search: q }),
      ...(status === undefined ? {} : { status: [...STATUS_FILTERS[status].statuses] }),
    },
  });

/** The figures at the top count these CVMs, the newest ones; beyond them they say "at least". */
export const COUNTED = 100;

export const teamCvmsOptions = (teamSlug: string) =>
  listCvmsPaginatedOptions({ ...inTeam(teamSlug), query: { page: 1, page_size: COUNTED } });

/** What was deleted in the last 24 hours. */
export const recycleBinOptions = (teamSlug: string) => ({
  ...listRecycledCvmsInfiniteOptions({ ...inTeam(teamSlug), query: { limit: 50 } }),
  initialPageParam: {},
  getNextPageParam: ({ pagination }: RecycledCvmPage) =>
    pagination.has_more ? pagination.next_cursor : null,
  // Nobody tells when one of them is still on its way in or out.
  refetchInterval: 10_000,
});

/** More than are shown: the steps of booting are left out there. */
export const recentEventsOptions = (teamSlug: string) =>
  // A boot is a dozen events of one deployment, which is itself in the list; the CVM's own page has them all.
  listEventsOptions({ ...inTeam(teamSlug), query: { q: '-kind:boot,host.boot', limit: 8 } });

export async function loadTeamHome(
  queryClient: QueryClient,
  teamSlug: string,
  search: TeamHomeSearch,
): Promise<void> {
  await Promise.all([
    queryClient.ensureQueryData(appsOptions(teamSlug, search)),
    queryClient.ensureQueryData(teamCvmsOptions(teamSlug)),
    queryClient.ensureQueryData(recentEventsOptions(teamSlug)),
    queryClient.ensureInfiniteQueryData(recycleBinOptions(teamSlug)),
  ]);
}
