import type { QueryClient } from '@tanstack/react-query';
import {
  listInvitationsInfiniteOptions,
  listMembersInfiniteOptions,
} from '../../../generated/api/@tanstack/react-query.gen';

const PAGE_SIZE = 100;

const nextCursor = (page: { pagination: { has_more: boolean; next_cursor: string | null } }) =>
  page.pagination.has_more ? page.pagination.next_cursor : null;

/** People come and go without an event of the team, so a list looked at is asked again now and then. */
const fresh = { staleTime: 5_000, refetchInterval: 20_000 } as const;

export const membersOptions = (slug: string, q = '') => ({
  ...listMembersInfiniteOptions({
    path: { slug },
    query: { limit: PAGE_SIZE, ...(q === '' ? {} : { q }) },
  }),
  initialPageParam: { path: { slug } },
  getNextPageParam: nextCursor,
  ...fresh,
});

export const invitationsOptions = (slug: string) => ({
  ...listInvitationsInfiniteOptions({ path: { slug }, query: { limit: PAGE_SIZE, state: 'pending' } }),
  initialPageParam: { path: { slug } },
  getNextPageParam: nextCursor,
  ...fresh,
});

/** What the page shows first, so that no row pushes another down. A failure is the page's own to show. */
export async function loadMembers(
  queryClient: QueryClient,
  slug: string,
  withInvitations: boolean,
): Promise<void> {
  await Promise.allSettled([
    queryClient.ensureInfiniteQueryData(membersOptions(slug)),
    ...(withInvitations ? [queryClient.ensureInfiniteQueryData(invitationsOptions(slug))] : []),
  ]);
}
