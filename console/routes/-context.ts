import type { QueryClient } from '@tanstack/react-query';

/** What every route's guard and loader is given. */
export interface RouterContext {
  queryClient: QueryClient;
}
