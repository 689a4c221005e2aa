import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { waitsForContract } from './apiError';
import { isStale, LIVE } from './invalidation';

/**
 * Leads a change that waits for the app's contract to the page where the contract's owner allows and commits it.
 * @param page the KMS tab; null if there is none to open, and then the refusal is an error like any other
 */
export function useContractWait(teamSlug: string, page: string | null, close: () => void) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return {
    /** Closes the dialog and opens the page if the change waits there. */
    async lead(refusal: unknown): Promise<void> {
      if (page === null || !waitsForContract(refusal)) return;
      await queryClient.invalidateQueries({
        predicate: (query) => isStale(query.queryKey, teamSlug, [LIVE]),
      });
      close();
      await navigate({ href: page });
    },
    /** Returns what the dialog must show. */
    shown: (refusal: unknown): unknown => (page !== null && waitsForContract(refusal) ? null : refusal),
  };
}
