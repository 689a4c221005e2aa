/**
 * Lists pending finance actions, those of the user or those of others. The server counts them: only the oldest is named, and a
 * page would hold just some of many.
 */
export const approvalsQuery = (is_own: boolean) => ({
  pagination: { page: 1, perPage: 1 },
  sort: { field: 'id', order: 'ASC' as const },
  filter: { state: 'pending', is_own },
});
