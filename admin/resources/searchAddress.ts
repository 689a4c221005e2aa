/** Search parameters to set; null removes one. */
export type SearchChange = Readonly<Record<string, string | null>>;

/** Returns the address with these parameters, on the first page unless they name another. */
export function changedSearch(before: URLSearchParams, change: SearchChange): URLSearchParams {
  const next = new URLSearchParams(before);
  next.delete('page');
  for (const [key, value] of Object.entries(change))
    if (value === null) next.delete(key);
    else next.set(key, value);
  return next;
}

/** Returns the address's page, from 1. */
export function pageOf(search: URLSearchParams): number {
  const page = search.get('page') ?? '';
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1;
}
