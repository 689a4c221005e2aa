import { keepPreviousData, type QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import {
  getAppOptions,
  listAppCvmsOptions,
  listAppRevisionsOptions,
  listEventsOptions,
  listRolloutsOptions,
} from '../../../generated/api/@tanstack/react-query.gen';
import type { Rollout, RolloutPage } from '../../../generated/api/types.gen';
import { LIVE_ROLLOUT } from '../../lib/apps/allowedActions';
import { inTeam } from '../../api/client';
import { appTemplateOptions } from './templates/queries';

export const appOptions = (teamSlug: string, app_id: string) =>
  getAppOptions({ ...inTeam(teamSlug), path: { app_id } });

export const appCvmsOptions = (teamSlug: string, app_id: string) =>
  listAppCvmsOptions({ ...inTeam(teamSlug), path: { app_id } });

export const REVISIONS_PAGE = 20;

export const revisionsOptions = (teamSlug: string, app_id: string, page = 1) => ({
  ...listAppRevisionsOptions({
    ...inTeam(teamSlug),
    path: { app_id },
    query: { page, page_size: REVISIONS_PAGE },
  }),
  placeholderData: keepPreviousData,
});

/** Polled more often while a rollout is in progress. */
export const rolloutsOptions = (teamSlug: string, app_id: string) => ({
  ...listRolloutsOptions({ ...inTeam(teamSlug), path: { app_id }, query: { limit: 5 } }),
  refetchInterval: (query: { state: { data?: RolloutPage | undefined } }) =>
    query.state.data?.data.some(isLive) ? 2_000 : (false as const),
});

export const isLive = ({ state }: Pick<Rollout, 'state'>): boolean => LIVE_ROLLOUT.includes(state);

/** More events than rows, because an operation and its boot steps become one row. */
export const appEventsOptions = (teamSlug: string, app_id: string) =>
  listEventsOptions({ ...inTeam(teamSlug), query: { app_id, limit: 100 } });

interface Asked {
  queryClient: QueryClient;
  teamSlug: string;
  appId: string;
  /** The full URL, to keep the part after the ID. */
  href: string;
}

/** The app's name becomes its crumb. `app_…` and `0x…` redirect to the bare ID, the canonical URL. */
export async function loadApp({ queryClient, teamSlug, appId, href }: Asked): Promise<{ crumb: string }> {
  const app = await queryClient.ensureQueryData(appOptions(teamSlug, appId));
  if (app.app_id !== appId)
    throw redirect({ href: href.replace(/\/apps\/[^/?#]*/, `/apps/${app.app_id}`), replace: true });
  return { crumb: app.name };
}

export async function loadAppCvms(queryClient: QueryClient, teamSlug: string, appId: string): Promise<void> {
  await queryClient.ensureQueryData(appCvmsOptions(teamSlug, appId));
}

export async function loadRevisions(
  queryClient: QueryClient,
  teamSlug: string,
  appId: string,
): Promise<void> {
  await queryClient.ensureQueryData(revisionsOptions(teamSlug, appId));
}

export async function loadAppOverview(
  queryClient: QueryClient,
  teamSlug: string,
  appId: string,
): Promise<void> {
  await Promise.all([
    loadRevisions(queryClient, teamSlug, appId),
    queryClient.ensureQueryData(appEventsOptions(teamSlug, appId)),
    queryClient.ensureQueryData(appTemplateOptions(teamSlug, appId)),
  ]);
}
