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
