import type { QueryClient } from '@tanstack/react-query';

/** Context passed to every route guard and loader. */
export interface RouterContext {
  queryClient: QueryClient;
}
