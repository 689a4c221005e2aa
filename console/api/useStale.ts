import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

/**
 * Refetches queries of these operations after a change that emits no team event:
 * `await stale('listMembers', 'listInvitations')`.
 */
export function useStale(): (...operationIds: string[]) => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(
    async (...operationIds) => {
      await Promise.all(
        // Keys match partially, so the operation ID covers every team, page and filter.
        operationIds.map((_id) => queryClient.invalidateQueries({ queryKey: [{ _id }] })),
      );
    },
    [queryClient],
  );
}
