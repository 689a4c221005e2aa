import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { fetchJson } from '../../http';

/** Requests of the fleet pages beyond resource lists. */

const API = '/api/v1/admin';

/** Reads from the admin API; `every` is the refetch interval in milliseconds. */
export const useFleetQuery = <T>(path: string, every?: number) =>
  useQuery({
    queryKey: ['admin-fleet', path],
    queryFn: async ({ signal }) => (await fetchJson(`${API}${path}`, { signal })).json as T,
    // Only between addresses that differ in their search: another record's data must not appear under this one's
    // name.
    placeholderData: (before, query) => (isSamePage(query?.queryKey[1], path) ? before : undefined),
    retry: false,
    ...(every === undefined ? {} : { refetchInterval: every }),
  });

const isSamePage = (before: unknown, path: string): boolean =>
  typeof before === 'string' && before.split('?')[0] === path.split('?')[0];

/** Posts to an address below `base`, then refetches everything read below it. */
export function useFleetAction<T>(base: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ action, body }: { action: string; body?: unknown }) => {
      const { json } = await fetchJson(`${API}${base}${action}`, {
        method: 'POST',
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return json as T;
    },
    onSettled: () =>
      client.invalidateQueries({
        predicate: ({ queryKey: [area, path] }) => area === 'admin-fleet' && String(path).startsWith(base),
      }),
  });
}
