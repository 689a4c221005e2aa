import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { AdminView } from '../../generated/api/types.gen';
import { fetchJson } from '../http';
import { newIdempotencyKey } from '../../console/lib/idempotencyKey';

/** Client for saved views: the user's own and shared ones. */

const API = '/api/v1/admin/views';
const MAX_VIEWS = 100;
const key = (resource: string) => ['admin-views', resource];

export function useViews(resource: string, enabled: boolean) {
  return useQuery({
    queryKey: key(resource),
    enabled,
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({
        filter: JSON.stringify({ resource }),
        sort: '["name","ASC"]',
        range: JSON.stringify([0, MAX_VIEWS - 1]),
      });
      const { json } = await fetchJson(`${API}?${query}`, { signal });
      return json as AdminView[];
    },
  });
}

export interface ViewDraft {
  name: string;
  query: string;
  shared: boolean;
}

/** Creates, updates and deletes views of a list, and refetches them. @throws HttpError */
export function useViewWrites(resource: string) {
  const client = useQueryClient();
  const write = async (path: string, method: string, body?: object): Promise<AdminView> => {
    const { json } = await fetchJson(API + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(method === 'POST' ? { headers: { 'Idempotency-Key': newIdempotencyKey() } } : {}),
    });
    await client.invalidateQueries({ queryKey: key(resource) });
    return json as AdminView;
  };
  return {
    create: (draft: ViewDraft) => write('', 'POST', { resource, ...draft }),
    change: (id: number, changes: Partial<ViewDraft>) => write(`/${id}`, 'PATCH', changes),
    remove: (id: number) => write(`/${id}`, 'DELETE'),
  };
}

export async function readView(id: string): Promise<AdminView> {
  const { json } = await fetchJson(`${API}/${encodeURIComponent(id)}`);
  return json as AdminView;
}
