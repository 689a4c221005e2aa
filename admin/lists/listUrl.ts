/*
 * Request URL of a list. It must equal the URL in the page's preload link exactly (server/tools/emitAdminLists.ts), so
 * this module imports nothing else from the admin area.
 */

export const API = '/api/v1/admin';

/** Default page size. */
export const PER_PAGE = 25;

export interface ListQuery {
  page: number;
  perPage: number;
  sort?: { field: string; order: string } | undefined;
  filter?: unknown;
}

/** Returns the URL of one page in ra-data-simple-rest's dialect. */
export function listUrl(resource: string, { page, perPage, sort, filter }: ListQuery): string {
  const query = new URLSearchParams({
    ...(sort === undefined ? {} : { sort: JSON.stringify([sort.field, sort.order]) }),
    range: JSON.stringify([(page - 1) * perPage, page * perPage - 1]),
    filter: JSON.stringify(filter ?? {}),
  });
  return `${API}/${resource}?${query}`;
}
