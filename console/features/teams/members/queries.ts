import type { Member } from '../../../../generated/api/types.gen';
import type { QueryClient } from '@tanstack/react-query';
import {
  listInvitationsInfiniteOptions,
  listMembersInfiniteOptions,
} from '../../../../generated/api/@tanstack/react-query.gen';

const PAGE_SIZE = 100;

const nextCursor = (page: { pagination: { has_more: boolean; next_cursor: string | null } }) =>
  page.pagination.has_more ? page.pagination.next_cursor : null;

/** Membership changes emit no team event, so an open list polls. */
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

export const ONLY_OWNER = 'You’re the only owner. Transfer or delete the team first.';

/**
 * Whether the list's first page, which starts with owners, has only one owner. Unknown until loaded: the server
 * decides.
 */
export const isOnlyOwner = (members: readonly Pick<Member, 'role'>[] | undefined): boolean =>
  members?.filter(({ role }) => role === 'owner').length === 1;

export const invitationsOptions = (slug: string) => ({
  ...listInvitationsInfiniteOptions({ path: { slug }, query: { limit: PAGE_SIZE, state: 'pending' } }),
  initialPageParam: { path: { slug } },
  getNextPageParam: nextCursor,
  ...fresh,
});

/** Preloads the page's first tables so that rows don't shift. The page itself shows failures. */
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
