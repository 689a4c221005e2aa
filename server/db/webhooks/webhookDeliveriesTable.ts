import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { WebhookAttempt, WebhookEventKind } from '../../domain/webhooks/webhook';

type DeliveryState = 'pending' | 'delivered' | 'failed' | 'cancelled';

/**
 * One row per event for a webhook. Sent by the worker that leases the webhook; deleted after 30 days
 * (migration 0012_webhooks).
 */
export interface WebhookDeliveriesTable {
  id: GeneratedAlways<number>;
  webhook_id: number;
  /** Sent as X-Webhook-Id: the same in every attempt and for every webhook of the team. */
  event_id: string;
  event: WebhookEventKind;
  test: Generated<boolean>;
  /** Exact bytes that are signed and sent. */
  body: string;
  state: Generated<DeliveryState>;
  /** Attempts since it was queued or resent. */
  tries: Generated<number>;
  /** Latest attempts, for display. */
  attempts: ColumnType<WebhookAttempt[], string | undefined, string>;
  /** Set while pending. */
  next_attempt_at: Date | null;
  created_at: Generated<Date>;
  finished_at: Date | null;
}

export type WebhookDeliveryRow = Selectable<WebhookDeliveriesTable>;
