import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { hasCode, isApiError } from './apiError';

/** Worth asking again: no answer, or a server that is starting, draining or overloaded. */
export function mayRetry(failures: number, error: unknown): boolean {
  if (failures >= 2 || !isApiError(error)) return false;
  return error.status === 0 || error.status >= 502;
}

interface Refusals {
  /** An answer says that nobody is signed in. */
  onUnauthenticated: () => void;
  /** A team's rule keeps this session out: a second factor or single sign-on is asked for. */
  onTeamRefused: () => void;
}

/** One cache per page. Only reads are retried. */
export function createQueryClient({ onUnauthenticated, onTeamRefused }: Refusals): QueryClient {
  const onError = (error: unknown) => {
    if (isApiError(error, 401)) onUnauthenticated();
    if (hasCode(error, 'ERR-00-032') || hasCode(error, 'ERR-00-033')) onTeamRefused();
  };
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (query.meta?.signsIn !== true) onError(error);
      },
    }),
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
