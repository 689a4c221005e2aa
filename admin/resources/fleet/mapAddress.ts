/** Filters of the map to set; null removes one. */
export type MapChange = Readonly<Record<string, string | null>>;

/**
 * Returns the address with these filters, on the first page. An empty region is kept: it means nodes without one.
 */
export function changedMap(before: URLSearchParams, change: MapChange): URLSearchParams {
  const next = new URLSearchParams(before);
  next.delete('page');
  for (const [key, value] of Object.entries(change))
    if (value === null) next.delete(key);
    else next.set(key, value);
  return next;
}

/** Nodes without a region have null in the API and an empty string in the address. */
export const regionName = (region: string | null): string => (region ? region : 'No region');
