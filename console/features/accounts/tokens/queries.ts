import { listTokensInfiniteOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import type { ApiToken } from '../../../../generated/api/types.gen';

const PAGE_SIZE = 50;

export const tokensOptions = (slug: string, state: ApiToken['state'] | undefined) => ({
  ...listTokensInfiniteOptions({
    path: { slug },
    query: { limit: PAGE_SIZE, ...(state === undefined ? {} : { state }) },
  }),
  initialPageParam: { path: { slug } },
  getNextPageParam: (page: { pagination: { has_more: boolean; next_cursor: string | null } }) =>
    page.pagination.has_more ? page.pagination.next_cursor : null,
  // Token use emits no event, so the list polls.
  staleTime: 5_000,
});
