import type { QueryClient } from '@tanstack/react-query';
import { listAnnouncementsOptions } from '../../../generated/api/@tanstack/react-query.gen';

/** Before the page is drawn, so that what stands above it does not push it down. A page needs none of them. */
export const loadAnnouncements = (queryClient: QueryClient) =>
  queryClient.ensureQueryData(listAnnouncementsOptions()).catch(() => undefined);
