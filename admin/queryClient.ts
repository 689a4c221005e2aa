import { QueryClient } from '@tanstack/react-query';
import { AGAIN_MS, NETWORK_RETRIES, retryDelayMs } from '../console/lib/connection';
import { statusOf } from './http';

/** Data stays fresh briefly, so that navigating back and forth sends one request; later visits refetch in the background. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // Retrying helps only after a lost connection, not after a server response.
        retry: (count, error) => statusOf(error) === 0 && count < NETWORK_RETRIES,
        retryDelay: retryDelayMs,
        refetchInterval: ({ state }) => (statusOf(state.error) === 0 ? AGAIN_MS : false),
      },
    },
  });
}
