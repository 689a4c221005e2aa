import { QueryClient } from '@tanstack/react-query';
import { statusOf } from './http';

/** What was read is fresh for a moment, so that going back and forth asks once; then it is asked for again in the background. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // An answer of the server stays the same when asked again; only a lost connection is worth another try.
        retry: (count, error) => statusOf(error) === 0 && count < 2,
      },
    },
  });
}
