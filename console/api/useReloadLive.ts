import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { isStale, LIVE } from './invalidation';

/** Returns a function that refetches the team's live queries after a change, without waiting for its event. */
export function useReloadLive(teamSlug: string): () => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(
    () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => isStale(queryKey, teamSlug, [LIVE]) }),
    [queryClient, teamSlug],
  );
}
