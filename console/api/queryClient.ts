import { MutationCache, QueryCache, QueryClient, type Query } from '@tanstack/react-query';
import { onResponsive } from '../lib/connection';
import { awaitResponse, isDue, mayRetry, retryWaitMs } from '../lib/recovery';
import { failedRead, hasCode, isApiError } from './apiError';

interface Refusals {
  /** Called if a response says that nobody is signed in. */
  onUnauthenticated: () => void;
  /** Called if the team's sign-in policy rejects this session: a second factor or single sign-on is required. */
  onTeamRefused: () => void;
}

/** The page's query cache. Only reads are retried. */
export function createQueryClient({ onUnauthenticated, onTeamRefused }: Refusals): QueryClient {
  const onError = (error: unknown) => {
    if (isApiError(error, 401)) onUnauthenticated();
    if (hasCode(error, 'ERR-00-032') || hasCode(error, 'ERR-00-033')) onTeamRefused();
  };
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (query.meta?.signsIn !== true) onError(error);
        awaitResponse(failedRead(error));
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
        retry: (failures, error) => mayRetry(failures, failedRead(error)),
        retryDelay: (attempt, error) => retryWaitMs(attempt, failedRead(error)),
        throwOnError: false,
      },
      mutations: {
        retry: false,
        // Offline, a change fails immediately. By default it would wait silently, without a way to cancel it, and
        // be sent when the device is back online.
        networkMode: 'always',
      },
    },
  });
  const failed = { type: 'active', predicate: ({ state }: Query) => isDue(failedRead(state.error)) } as const;
  onResponsive(() => void client.refetchQueries(failed, { cancelRefetch: false }));
  return client;
}
