import { useNavigate } from '@tanstack/react-router';
import { waitsForContract } from '../apiError';
import { useReloadLive } from '../useReloadLive';

/**
 * Handles a change that waits for the app's contract: opens the page where the contract's owner allows and commits
 * it.
 * @param page the KMS tab; null if there is none, and then the refusal is treated like any other error
 */
export function useContractWait(teamSlug: string, page: string | null, close: () => void) {
  const reload = useReloadLive(teamSlug);
  const navigate = useNavigate();
  return {
    /** Closes the dialog and opens the page if the change waits there. */
    async lead(refusal: unknown): Promise<void> {
      if (page === null || !waitsForContract(refusal)) return;
      await reload();
      close();
      await navigate({ href: page });
    },
    /** Returns the error the dialog must show. */
    shown: (refusal: unknown): unknown => (page !== null && waitsForContract(refusal) ? null : refusal),
  };
}
