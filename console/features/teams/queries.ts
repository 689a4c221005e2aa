import type { QueryClient } from '@tanstack/react-query';
import {
  listAppsOptions,
  listCvmsPaginatedOptions,
  listEventsOptions,
} from '../../../generated/api/@tanstack/react-query.gen';
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
  ]);
}
