import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { fetchJson } from '../../http';

/** What the fleet's own pages ask beyond the lists of resources. */

const API = '/api/v1/admin';

/** Reads one address of the admin API; again while somebody looks, when `every` (milliseconds) says so. */
export const useFleetQuery = <T>(path: string, every?: number) =>
  useQuery({
    queryKey: ['admin-fleet', path],
    queryFn: async ({ signal }) => (await fetchJson(`${API}${path}`, { signal })).json as T,
    placeholderData: (before) => before,
    retry: false,
    ...(every === undefined ? {} : { refetchInterval: every }),
  });

/** Sends to an address below `base`, after which everything read below it is asked for again. */
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
