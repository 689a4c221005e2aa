import type { QueryClient } from '@tanstack/react-query';
import {
  getAppOptions,
  listAppCvmsOptions,
  listAppRevisionsOptions,
  listEventsOptions,
} from '../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../api/client';

export const appOptions = (teamSlug: string, app_id: string) =>
  getAppOptions({ ...inTeam(teamSlug), path: { app_id } });

export const appCvmsOptions = (teamSlug: string, app_id: string) =>
  listAppCvmsOptions({ ...inTeam(teamSlug), path: { app_id } });

export const revisionsOptions = (teamSlug: string, app_id: string) =>
  listAppRevisionsOptions({ ...inTeam(teamSlug), path: { app_id }, query: { page: 1, page_size: 10 } });

export const appEventsOptions = (teamSlug: string, app_id: string) =>
  listEventsOptions({ ...inTeam(teamSlug), query: { app_id, limit: 8 } });

/** Everything the app's page shows; the name becomes its crumb. */
export async function loadApp(
  queryClient: QueryClient,
  teamSlug: string,
  appId: string,
): Promise<{ crumb: string }> {
  const [app] = await Promise.all([
    queryClient.ensureQueryData(appOptions(teamSlug, appId)),
    queryClient.ensureQueryData(appCvmsOptions(teamSlug, appId)),
    queryClient.ensureQueryData(revisionsOptions(teamSlug, appId)),
    queryClient.ensureQueryData(appEventsOptions(teamSlug, appId)),
  ]);
  return { crumb: app.name };
}
