import type { QueryClient } from '@tanstack/react-query';
import {
  listAppsOptions,
  listCvmsPaginatedOptions,
  listEventsOptions,
} from '../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../api/client';
import { teamPath } from '../../lib/paths';

/** What the address of the team's home says. Nothing else decides which apps are listed. */
export interface TeamHomeSearch {
  q?: string;
  status?: StatusFilter;
  page?: number;
}

/** What people ask for, as the statuses that mean it. */
export const STATUS_FILTERS = {
  running: { label: 'Running', statuses: ['running'] },
  changing: {
    label: 'Changing',
    statuses: [
      'creating',
      'starting',
      'restarting',
      'updating',
      'resizing',
      'stopping',
      'shutting_down',
      'deleting',
    ],
  },
  stopped: { label: 'Stopped', statuses: ['stopped'] },
  error: { label: 'Error', statuses: ['error'] },
} as const;

export type StatusFilter = keyof typeof STATUS_FILTERS;

const isStatusFilter = (value: unknown): value is StatusFilter =>
  typeof value === 'string' && Object.hasOwn(STATUS_FILTERS, value);

/** The address as typed values; what makes no sense is left out rather than refused. */
export function teamHomeSearch(search: Record<string, unknown>): TeamHomeSearch {
  const page = Number(search.page);
  return {
    ...(typeof search.q === 'string' && search.q.trim() !== '' ? { q: search.q.slice(0, 200) } : {}),
    ...(isStatusFilter(search.status) ? { status: search.status } : {}),
    ...(Number.isSafeInteger(page) && page > 1 ? { page } : {}),
  };
}

/** The address of the home with this search. */
export function teamHomeHref(teamSlug: string, { q, status, page }: TeamHomeSearch): string {
  const query = new URLSearchParams();
  if (q !== undefined && q !== '') query.set('q', q);
  if (status !== undefined) query.set('status', status);
  if (page !== undefined && page > 1) query.set('page', String(page));
  const text = query.toString();
  return teamPath(teamSlug) + (text === '' ? '' : `?${text}`);
}

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

export const recentEventsOptions = (teamSlug: string) =>
  listEventsOptions({ ...inTeam(teamSlug), query: { limit: 8 } });

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
