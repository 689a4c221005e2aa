import type { QueryClient } from '@tanstack/react-query';
import { listAnnouncementsOptions } from '../../../generated/api/@tanstack/react-query.gen';

/** Preloads announcements before the first paint so that the banner doesn't shift the page. Never blocks a page. */
export const loadAnnouncements = (queryClient: QueryClient) =>
  queryClient.ensureQueryData(listAnnouncementsOptions()).catch(() => undefined);
