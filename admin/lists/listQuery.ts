import type { ResourceDescription } from '../schema/types';

/*
 * The part of a list's query string that determines what is shown, normalized so that saved views can be compared.
 */

/** Parameters stored in a view; the page number isn't. */
const KEPT = ['filter', 'sort', 'order', 'perPage', 'columns', 'density'] as const;
type Kept = (typeof KEPT)[number];

/** Normalizes "?sort=name&order=ASC&page=3&filter={}" to "order=ASC&sort=name", without empty values. */
export function viewQuery(search: string, keys: readonly Kept[] = KEPT): string {
  const params = new URLSearchParams(search);
  const kept = keys.flatMap((key): [string, string][] => {
    const value = params.get(key);
    return value === null || value === '' || value === '{}' ? [] : [[key, value]];
  });
  return new URLSearchParams(kept.sort(([a], [b]) => a.localeCompare(b))).toString();
}

/** Whether the list matches the view. Older views have no columns or density, which are then ignored. */
export function isView(view: string, query: string): boolean {
  const named = new URLSearchParams(view);
  const keys = KEPT.filter((key) => (key !== 'columns' && key !== 'density') || named.has(key));
  return viewQuery(view) === viewQuery(query, keys);
}

/** Returns the current list state as a normalized query, even if the address is empty. */
export function queryOf(list: {
  filterValues: unknown;
  sort: { field: string; order: string };
  perPage: number;
  columns: string;
  density: string;
}): string {
  return viewQuery(
    new URLSearchParams({
      filter: JSON.stringify(list.filterValues ?? {}),
      sort: list.sort.field,
      order: list.sort.order,
      perPage: String(list.perPage),
      columns: list.columns,
      density: list.density,
    }).toString(),
  );
}

/** Returns the columns of a list's export: like the list, with the names of referenced records. */
export const exportColumns = (
  { columns }: Pick<ResourceDescription, 'columns'>,
  shown: readonly string[],
): string[] =>
  shown.map((id) => (columns.find(({ name }) => name === id)?.type === 'reference' ? `${id}.name` : id));

/** Returns the CSV address of all matching rows with the columns shown. */
export function exportHref(
  resource: string,
  {
    filter,
    sort,
    columns,
  }: {
    filter: Record<string, unknown>;
    sort: { field: string; order: string };
    columns: readonly string[];
  },
): string {
  const query = new URLSearchParams({
    format: 'csv',
    columns: columns.join(','),
    sort: JSON.stringify([sort.field, sort.order]),
    filter: JSON.stringify(filter),
  });
  return `/api/v1/admin/${resource}?${query}`;
}
