import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isApiError } from './apiError';

/** Worth asking again: no answer, or a server that is starting, draining or overloaded. */
export function mayRetry(failures: number, error: unknown): boolean {
  if (failures >= 2 || !isApiError(error)) return false;
  return error.status === 0 || error.status >= 502;
}

/**
 * One cache per page. Only reads are retried. `onUnauthenticated` is called when an answer says that the session is
 * over.
 */
export function createQueryClient(onUnauthenticated: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isApiError(error, 401)) onUnauthenticated();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, mutation) => {
        // A wrong password is also a 401, and the form says so itself.
        if (mutation.meta?.signsIn !== true) onError(error);
      },
    }),
    defaultOptions: {
      queries: {
        // Events tell when something changed; this bounds what a missed one can do.
        staleTime: 30_000,
        retry: mayRetry,
        retryDelay: (attempt) => 500 * 2 ** attempt,
        throwOnError: false,
      },
      mutations: { retry: false },
    },
  });
}
