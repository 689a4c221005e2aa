import {
  getNotificationSettingsOptions,
  listNotificationsInfiniteOptions,
} from '../../../generated/api/@tanstack/react-query.gen';

const PAGE_SIZE = 20;
/** Team pages get updates from the event stream; other pages poll. */
const WATCH_MS = 60_000;

export const notificationsOptions = () => ({
  ...listNotificationsInfiniteOptions({ query: { limit: PAGE_SIZE } }),
  initialPageParam: {},
  getNextPageParam: (page: { pagination: { has_more: boolean; next_cursor: string | null } }) =>
    page.pagination.has_more ? page.pagination.next_cursor : null,
  staleTime: 5_000,
  refetchInterval: WATCH_MS,
  refetchOnWindowFocus: true,
});

export const notificationSettingsOptions = () => ({ ...getNotificationSettingsOptions(), staleTime: 5_000 });
