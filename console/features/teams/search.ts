/** What the address of the team's home says. Nothing else decides which apps are listed. */
export interface TeamHomeSearch {
  q?: string | undefined;
  status?: StatusFilter | undefined;
  page?: number | undefined;
  /** The recycle bin in place of the apps. */
  show?: 'bin' | undefined;
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

/**
 * The address as typed values; what makes no sense is dropped rather than refused. Every key is there, because the
 * router lays what is validated over the raw address: a key left out would keep its raw value.
 */
export function teamHomeSearch(search: Record<string, unknown>): TeamHomeSearch {
  const page = Number(search.page);
  return {
    q: typeof search.q === 'string' && search.q.trim() !== '' ? search.q.slice(0, 200) : undefined,
    status: isStatusFilter(search.status) ? search.status : undefined,
    page: Number.isSafeInteger(page) && page > 1 ? page : undefined,
    show: search.show === 'bin' ? 'bin' : undefined,
  };
}

/** The address of the home with this search. */
export function teamHomeHref(base: string, { q, status, page, show }: TeamHomeSearch): string {
  const query = new URLSearchParams();
  if (q !== undefined && q !== '') query.set('q', q);
  if (status !== undefined) query.set('status', status);
  if (page !== undefined && page > 1) query.set('page', String(page));
  if (show !== undefined) query.set('show', show);
  const text = query.toString();
  return base + (text === '' ? '' : `?${text}`);
}

/** Whether the list may be a part only. */
export const isFiltered = ({ q, status, page = 1, show }: TeamHomeSearch): boolean =>
  q !== undefined || status !== undefined || page > 1 || show !== undefined;
