import { useQuery } from '@tanstack/react-query';
import type { Paging } from '../../console/ui/data/Pager';
import { fetchJson } from '../http';
import { pageOf } from './searchAddress';
import { useSearchAddress } from './useSearchAddress';

const ROWS = 25;

/** A page of the rows at an API path of a record. The page is in the address, so that Back returns to it. */
export function usePagedRows<R>(path: string) {
  const [params, go] = useSearchAddress();
  const page = pageOf(params);
  const offset = (page - 1) * ROWS;
  const query = useQuery({
    queryKey: ['admin-paged-rows', path, page],
    queryFn: async ({ signal }) => {
      const range = encodeURIComponent(JSON.stringify([offset, offset + ROWS - 1]));
      const { json, headers } = await fetchJson(`/api/v1/admin${path}?range=${range}`, { signal });
      const total = Number(headers.get('Content-Range')?.split('/').at(-1) ?? 0);
      return { rows: json as R[], total };
    },
    // Another record's rows must not appear under this one's name.
    placeholderData: (before, of) => (of?.queryKey[1] === path ? before : undefined),
    retry: false,
  });
  const total = query.data?.total ?? 0;
  const turn = (to: number) => go({ page: String(to) });
  const paging: Paging = {
    offset,
    total,
    ...(page > 1 ? { previous: () => turn(page - 1) } : {}),
    ...(offset + ROWS < total ? { next: () => turn(page + 1) } : {}),
  };
  return { ...query, paging };
}
