interface Query {
  error: unknown;
  isLoading: boolean;
  refetch: () => unknown;
}

/**
 * Combines several queries for one error notice. Its retry sends only those that failed: a refetch sends even queries
 * that are disabled, such as those that the user's role may not read.
 */
export function combineQueries(queries: readonly Query[]): Query {
  const failed = queries.filter(({ error }) => error !== null && error !== undefined);
  return {
    error: failed[0]?.error ?? null,
    isLoading: queries.some(({ isLoading }) => isLoading),
    refetch: () => {
      for (const query of failed) void query.refetch();
    },
  };
}
