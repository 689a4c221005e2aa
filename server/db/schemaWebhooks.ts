import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { WebhookAttempt, WebhookEventKind } from '../domain/webhook';
import type { Json } from './schema';

/** Tables of webhooks, and the feed they are told from; the columns' meaning stands in migration 0012_webhooks. */

export interface EventFeedTable {
  id: GeneratedAlways<number>;
  event_id: number;
  team_id: number;
  cvm_id: number | null;
  operation_id: number | null;
  kind: string;
  severity: 'info' | 'warning' | 'error';
  message: string;
  data: ColumnType<Json, string, string>;
  cvm_name: string | null;
  cvm_status: string | null;
  vm_uuid: string | null;
  app_id: string | null;
  created_at: Date;
}

export interface WebhooksTable {
  id: GeneratedAlways<number>;
  public_id: string;
  team_id: number;
  name: string | null;
  url: string;
  events: WebhookEventKind[];
  sealed_secret: string;
  secret_hint: string;
  sealed_previous_secret: string | null;
  previous_secret_until: Date | null;
  enabled: Generated<boolean>;
  disabled_reason: 'person' | 'failures' | null;
  failing_since: Date | null;
  failures: Generated<number>;
  last_delivered_at: Date | null;
  lease_owner: string | null;
  lease_until: Date | null;
  last_leased_at: Date | null;
  created_by: number | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'cancelled';

export interface WebhookDeliveriesTable {
  id: GeneratedAlways<number>;
  webhook_id: number;
  event_id: string;
  event: WebhookEventKind;
  test: Generated<boolean>;
  body: string;
  state: Generated<DeliveryState>;
  tries: Generated<number>;
  attempts: ColumnType<WebhookAttempt[], string | undefined, string>;
  next_attempt_at: Date | null;
  created_at: Generated<Date>;
  finished_at: Date | null;
}

export interface WebhookTables {
  event_feed: EventFeedTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
}

export type EventFeedRow = Selectable<EventFeedTable>;
export type WebhookRow = Selectable<WebhooksTable>;
export type WebhookDeliveryRow = Selectable<WebhookDeliveriesTable>;
