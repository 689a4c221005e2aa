/*
 * The part of a list's address that says what is shown. Two addresses that show the same have the same text, so that a saved
 * view knows itself again.
 */

/** What of an address is kept in a view: not on which page one stood. */
const KEPT = ['filter', 'sort', 'order', 'perPage'] as const;

/** "?sort=name&order=ASC&page=3&filter={}" → "order=ASC&sort=name". Empty values say nothing. */
export function viewQuery(search: string): string {
  const params = new URLSearchParams(search);
  const kept = KEPT.flatMap((key): [string, string][] => {
    const value = params.get(key);
    return value === null || value === '' || value === '{}' ? [] : [[key, value]];
  });
  return new URLSearchParams(kept.sort(([a], [b]) => a.localeCompare(b))).toString();
}

/** The list exactly as it stands, in words its reader understands: for a list whose address says nothing yet. */
export function queryOf(list: {
  filterValues: unknown;
  sort: { field: string; order: string };
  perPage: number;
}): string {
  return viewQuery(
    new URLSearchParams({
      filter: JSON.stringify(list.filterValues ?? {}),
      sort: list.sort.field,
      order: list.sort.order,
      perPage: String(list.perPage),
    }).toString(),
  );
}

/** Everything that matches, as a file of the columns shown. */
export function exportHref(
  resource: string,
  {
    filter,
    sort,
    columns,
  }: { filter: Record<string, unknown>; sort: { field: string; order: string }; columns: readonly string[] },
): string {
  const query = new URLSearchParams({
    format: 'csv',
    columns: columns.join(','),
    sort: JSON.stringify([sort.field, sort.order]),
    filter: JSON.stringify(filter),
  });
  return `/api/v1/admin/${resource}?${query}`;
}
