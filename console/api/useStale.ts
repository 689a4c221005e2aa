import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

/**
 * Asks again what these operations had answered, after a change that no event of the team tells about:
 * `await stale('listMembers', 'listInvitations')`.
 */
export function useStale(): (...operationIds: string[]) => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(
    async (...operationIds) => {
      await Promise.all(
        // Keys match by part, so the id alone finds it for every team, page and filter.
        operationIds.map((_id) => queryClient.invalidateQueries({ queryKey: [{ _id }] })),
      );
    },
    [queryClient],
  );
}
