import { QueryCache, QueryClient, type Query } from '@tanstack/react-query';
import { onResponsive } from '../console/lib/connection';
import { awaitResponse, isDue, mayRetry, retryWaitMs } from '../console/lib/recovery';
import { failedRead } from './http';

/** Data stays fresh briefly, so that navigating back and forth sends one request; later visits refetch in the background. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: (error) => awaitResponse(failedRead(error)) }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => mayRetry(failures, failedRead(error)),
        retryDelay: (attempt, error) => retryWaitMs(attempt, failedRead(error)),
      },
      // Offline, a change fails immediately, as in the console, instead of being sent when the device is back
      // online.
      mutations: { networkMode: 'always' },
    },
  });
  const failed = { type: 'active', predicate: ({ state }: Query) => isDue(failedRead(state.error)) } as const;
  onResponsive(() => void client.refetchQueries(failed, { cancelRefetch: false }));
  return client;
}
