import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { AGAIN_MS, NETWORK_RETRIES, retryDelayMs } from '../lib/connection';
import { hasCode, isApiError } from './apiError';

/** Whether the server didn't respond, or a proxy says so: the page recovers by itself. */
const isUnanswered = (error: unknown): boolean =>
  isApiError(error) && (error.status === 0 || error.status >= 502);

/** Retries network errors and servers that are starting, draining or overloaded. */
function mayRetry(failures: number, error: unknown): boolean {
  if (!isApiError(error)) return false;
  return error.status === 0 ? failures < NETWORK_RETRIES : error.status >= 502 && failures < 2;
}

interface Refusals {
  /** A response says that nobody is signed in. */
  onUnauthenticated: () => void;
  /** The team's sign-in policy rejects this session: a second factor or single sign-on is required. */
  onTeamRefused: () => void;
}

/** The page's query cache. Only reads are retried. */
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
        // A wrong password is also a 401, which the form reports.
        if (mutation.meta?.signsIn !== true) onError(error);
      },
    }),
    defaultOptions: {
      queries: {
        // Events trigger refetches; this limits the effect of a missed one.
        staleTime: 30_000,
        retry: mayRetry,
        retryDelay: retryDelayMs,
        refetchInterval: ({ state }) => (isUnanswered(state.error) ? AGAIN_MS : false),
        throwOnError: false,
      },
      mutations: { retry: false },
    },
  });
}
