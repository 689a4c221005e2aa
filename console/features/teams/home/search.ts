import { searchText } from '../../../lib/texts/searchText';

/** The columns by which the server sorts apps. */
const APP_SORTS = ['name', 'status', 'cvm_count', 'hourly_cost', 'updated_at', 'created_at'] as const;
export type AppSort = (typeof APP_SORTS)[number];

/** Search parameters of the team's home. They alone decide which apps are listed. */
export interface TeamHomeSearch {
  q?: string | undefined;
  status?: StatusFilter | undefined;
  /** Absent for newest first. */
  sort?: AppSort | undefined;
  /** Absent for ascending. */
  order?: 'desc' | undefined;
  page?: number | undefined;
  /** Shows the recycle bin instead of the apps. */
  show?: 'bin' | undefined;
}

/** Status filters and the statuses each includes. */
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
  lost: { label: 'Lost', statuses: ['lost'] },
} as const;

export type StatusFilter = keyof typeof STATUS_FILTERS;

const isStatusFilter = (value: unknown): value is StatusFilter =>
  typeof value === 'string' && Object.hasOwn(STATUS_FILTERS, value);

/**
 * Parses the address; invalid values are dropped. Every key is present, because the router merges validated values over
 * the raw address and an omitted key would keep its raw value.
 */
export function teamHomeSearch(search: Record<string, unknown>): TeamHomeSearch {
  const page = Number(search.page);
  const sort = APP_SORTS.find((one) => one === search.sort);
  return {
    q: searchText(search.q, 200),
    status: isStatusFilter(search.status) ? search.status : undefined,
    sort,
    order: sort !== undefined && search.order === 'desc' ? 'desc' : undefined,
    page: Number.isSafeInteger(page) && page > 1 ? page : undefined,
    show: search.show === 'bin' ? 'bin' : undefined,
  };
}

/** Returns the home's address with this search. */
export function teamHomeHref(base: string, { q, status, sort, order, page, show }: TeamHomeSearch): string {
  const query = new URLSearchParams();
  if (q !== undefined && q !== '') query.set('q', q);
  if (status !== undefined) query.set('status', status);
  if (sort !== undefined) query.set('sort', sort);
  if (sort !== undefined && order !== undefined) query.set('order', order);
  if (page !== undefined && page > 1) query.set('page', String(page));
  if (show !== undefined) query.set('show', show);
  const text = query.toString();
  return base + (text === '' ? '' : `?${text}`);
}

/** Returns the address of the apps or of the recycle bin. Switching keeps the apps' search. */
export const viewHref = (base: string, search: TeamHomeSearch, show: TeamHomeSearch['show']): string =>
  teamHomeHref(base, { ...search, show });

/** Whether the list may be incomplete. */
export const isFiltered = ({ q, status, page = 1, show }: TeamHomeSearch): boolean =>
  q !== undefined || status !== undefined || page > 1 || show !== undefined;
