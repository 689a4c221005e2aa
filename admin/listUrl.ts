/*
 * What a list asks the server for, as text: the address that the page of a list tells the browser to ask for beforehand has
 * to be the same to the letter (server/tools/emitAdminLists.ts). So nothing else of the area is imported here.
 */

export const API = '/api/v1/admin';

/** Rows of a list whose address says nothing else. */
export const PER_PAGE = 25;

export interface ListQuery {
  page: number;
  perPage: number;
  sort?: { field: string; order: string } | undefined;
  filter?: unknown;
}

/** One page of a list in ra-data-simple-rest's dialect. */
export function listUrl(resource: string, { page, perPage, sort, filter }: ListQuery): string {
  const query = new URLSearchParams({
    ...(sort === undefined ? {} : { sort: JSON.stringify([sort.field, sort.order]) }),
    range: JSON.stringify([(page - 1) * perPage, page * perPage - 1]),
    filter: JSON.stringify(filter ?? {}),
  });
  return `${API}/${resource}?${query}`;
}
