import {
  listAuditEntriesInfiniteOptions,
  listMembersOptions,
} from '../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../api/client';
import { auditQuery, type AuditSearch } from './search';

export const auditOptions = (slug: string, search: AuditSearch) => ({
  ...listAuditEntriesInfiniteOptions({
    ...inTeam(slug),
    path: { slug },
    query: { limit: 50, ...auditQuery(search) },
  }),
  initialPageParam: { path: { slug } },
  getNextPageParam: (page: { pagination: { has_more: boolean; next_cursor: string | null } }) =>
    page.pagination.has_more ? page.pagination.next_cursor : null,
  // No event announces new entries, and viewers expect the latest.
  staleTime: 5_000,
});

/** Members to filter by. Former members are found through their entries. */
export const peopleOptions = (slug: string) =>
  listMembersOptions({ ...inTeam(slug), path: { slug }, query: { limit: 100 } });
