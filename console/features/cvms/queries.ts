import type { QueryClient } from '@tanstack/react-query';
import {
  getCvmCompositionOptions,
  getCvmOptions,
  getCvmStatsOptions,
  getOperationOptions,
  listCvmOperationsInfiniteOptions,
  listCvmOperationsOptions,
  listEventsOptions,
} from '../../../generated/api/@tanstack/react-query.gen';
import type { CvmDetail } from '../../../generated/api/types.gen';
import { isApiError } from '../../api/apiError';
import { inTeam } from '../../api/client';

/** Events say when something changed; asking now and then catches what an event missed. */
const WATCH_MS = 3_000;
const REST_MS = 20_000;

export const cvmOptions = (teamSlug: string, cvm_id: string) => ({
  ...getCvmOptions({ ...inTeam(teamSlug), path: { cvm_id } }),
  refetchInterval: (query: { state: { data?: CvmDetail | undefined; error: unknown } }) =>
    isApiError(query.state.error, 404) ? false : query.state.data?.in_progress ? WATCH_MS : REST_MS,
});

export const compositionOptions = (teamSlug: string, cvm_id: string) => ({
  ...getCvmCompositionOptions({ ...inTeam(teamSlug), path: { cvm_id } }),
  staleTime: 5_000,
});

/** Polled while the page is looked at: nobody sends events for load and memory. */
export const statsOptions = (teamSlug: string, cvm_id: string, running: boolean) => ({
  ...getCvmStatsOptions({ ...inTeam(teamSlug), path: { cvm_id } }),
  staleTime: 0,
  refetchInterval: running ? 5_000 : (false as const),
});

export const operationOptions = (teamSlug: string, correlation_id: string, live: boolean) => ({
  ...getOperationOptions({ ...inTeam(teamSlug), path: { correlation_id } }),
  refetchInterval: live ? 1_500 : (false as const),
});

export const lastOperationsOptions = (teamSlug: string, cvm_id: string) =>
  listCvmOperationsOptions({ ...inTeam(teamSlug), path: { cvm_id }, query: { limit: 5 } });

export const lastEventsOptions = (teamSlug: string, cvm: string) =>
  listEventsOptions({ ...inTeam(teamSlug), query: { cvm, limit: 8 } });

const nextCursor = (page: { pagination: { has_more: boolean; next_cursor: string | null } }) =>
  page.pagination.has_more ? page.pagination.next_cursor : null;

export const operationsOptions = (teamSlug: string, cvm_id: string) => ({
  ...listCvmOperationsInfiniteOptions({ ...inTeam(teamSlug), path: { cvm_id }, query: { limit: 20 } }),
  initialPageParam: { path: { cvm_id } },
  getNextPageParam: nextCursor,
});

export async function loadCvm(
  queryClient: QueryClient,
  teamSlug: string,
  cvm_id: string,
): Promise<CvmDetail> {
  return queryClient.ensureQueryData(cvmOptions(teamSlug, cvm_id));
}
