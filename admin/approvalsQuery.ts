/**
 * Lists pending finance actions, the user's own or those of others. The server counts them, because only the oldest
 * is named and a page might not hold all.
 */
export const approvalsQuery = (is_own: boolean) => ({
  pagination: { page: 1, perPage: 1 },
  sort: { field: 'id', order: 'ASC' as const },
  filter: { state: 'pending', is_own },
});
