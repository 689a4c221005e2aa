import {
  getWebhookOptions,
  getWebhookStatsOptions,
  listWebhookDeliveriesOptions,
  listWebhooksOptions,
} from '../../../generated/api/@tanstack/react-query.gen';
import type { WebhookDelivery } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';

export const PAGE_SIZE = 20;

/** Polling intervals: short while a delivery is in flight, longer while one waits for its retry. */
const SOON_MS = 10_000;
const WATCH_MS = 1_500;
const IDLE_MS = 20_000;

export const webhooksOptions = (slug: string) => ({
  ...listWebhooksOptions({ ...inTeam(slug) }),
  staleTime: 5_000,
  refetchInterval: IDLE_MS,
});

export const webhookOptions = (slug: string, webhook_id: string) => ({
  ...getWebhookOptions({ ...inTeam(slug), path: { webhook_id } }),
  staleTime: 5_000,
  refetchInterval: IDLE_MS,
});

export const statsOptions = (slug: string, webhook_id: string) => ({
  ...getWebhookStatsOptions({ ...inTeam(slug), path: { webhook_id } }),
  staleTime: 5_000,
  refetchInterval: IDLE_MS,
});

export const isInFlight = ({ state, next_attempt_at }: WebhookDelivery, now = Date.now()): boolean =>
  state === 'pending' && next_attempt_at !== null && Date.parse(next_attempt_at) < now + SOON_MS;

export const deliveriesOptions = (slug: string, webhook_id: string, page = 1) => ({
  ...listWebhookDeliveriesOptions({
    ...inTeam(slug),
    path: { webhook_id },
    query: { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE },
  }),
  staleTime: 1_000,
  refetchInterval: (query: { state: { data?: { items: WebhookDelivery[] } | undefined } }) =>
    query.state.data?.items.some((one) => isInFlight(one)) ? WATCH_MS : IDLE_MS,
});
