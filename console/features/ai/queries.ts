import type { QueryClient } from '@tanstack/react-query';
import {
  getAiCatalogOptions,
  getAiGatewayOptions,
  getAiUsageOptions,
  listAiKeysOptions,
  listAiRequestsInfiniteOptions,
  listTeamAiModelsOptions,
} from '../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../api/client';
import { endsWithin } from '../../lib/endsWithin';

const WATCH_MS = 15_000;

export const gatewayOptions = (slug: string) => ({
  ...getAiGatewayOptions({ ...inTeam(slug) }),
  staleTime: 60_000,
});

/** What is known and measured about the models; the server computes it once a minute. */
export const catalogOptions = (slug: string) => ({
  ...getAiCatalogOptions({ ...inTeam(slug) }),
  staleTime: 60_000,
  refetchInterval: 60_000,
});

/** The team's own models, including those that aren't currently offered. */
export const teamModelsOptions = (slug: string) => ({
  ...listTeamAiModelsOptions({ ...inTeam(slug) }),
  staleTime: 5_000,
  refetchInterval: WATCH_MS,
});

/** How long the page waits for its data. With a slow server, it then shows its frame and what has arrived. */
const FRAME_MS = 1_000;

/** A model's facts come from all three. The page shows what failed, and what is still on its way. */
export async function loadModels(queryClient: QueryClient, slug: string): Promise<void> {
  const read = Promise.allSettled([
    queryClient.ensureQueryData(gatewayOptions(slug)),
    queryClient.ensureQueryData(teamModelsOptions(slug)),
    queryClient.ensureQueryData(catalogOptions(slug)),
  ]);
  await endsWithin(read, FRAME_MS);
}

export const keysOptions = (slug: string) => ({
  ...listAiKeysOptions({ ...inTeam(slug) }),
  staleTime: 5_000,
  refetchInterval: WATCH_MS,
});

export const requestsOptions = (slug: string) => ({
  ...listAiRequestsInfiniteOptions({ ...inTeam(slug), query: { limit: 50 } }),
  // An object, because an empty cursor isn't a cursor.
  initialPageParam: { query: {} },
  getNextPageParam: ({ pagination }: { pagination: { next_cursor: string | null } }) =>
    pagination.next_cursor,
  staleTime: 2_000,
  refetchInterval: WATCH_MS,
});

export const usageOptions = (slug: string) => ({
  ...getAiUsageOptions({ ...inTeam(slug) }),
  staleTime: 2_000,
  // Sums a month of requests, so it polls less often than the request list.
  refetchInterval: 4 * WATCH_MS,
});
