import {
  getCvmCompositionOptions,
  getCvmOptions,
  getCvmStatsOptions,
  getOperationOptions,
  listCvmOperationsInfiniteOptions,
  listEventsOptions,
} from '../../../generated/api/@tanstack/react-query.gen';
import type { CvmDetail } from '../../../generated/api/types.gen';
import { isApiError } from '../../api/apiError';
import { inTeam } from '../../api/client';

/** Events report changes; occasional polling catches missed events. */
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

/** Polled while the page is visible: load and memory send no events. */
export const statsOptions = (teamSlug: string, cvm_id: string, running: boolean) => ({
  ...getCvmStatsOptions({ ...inTeam(teamSlug), path: { cvm_id } }),
  staleTime: 0,
  refetchInterval: running ? 5_000 : (false as const),
});

export const operationOptions = (teamSlug: string, correlation_id: string, live: boolean) => ({
  ...getOperationOptions({ ...inTeam(teamSlug), path: { correlation_id } }),
  refetchInterval: live ? 1_500 : (false as const),
});

/** More events than rows, because an operation with its boot steps becomes one row. */
export const lastEventsOptions = (teamSlug: string, cvm: string) =>
  listEventsOptions({ ...inTeam(teamSlug), query: { cvm, limit: 50 } });

const nextCursor = (page: { pagination: { has_more: boolean; next_cursor: string | null } }) =>
  page.pagination.has_more ? page.pagination.next_cursor : null;

export const operationsOptions = (teamSlug: string, cvm_id: string) => ({
  ...listCvmOperationsInfiniteOptions({ ...inTeam(teamSlug), path: { cvm_id }, query: { limit: 20 } }),
  initialPageParam: { path: { cvm_id } },
  getNextPageParam: nextCursor,
});
