import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { WebhookEventKind, WebhookFormat } from '../../domain/webhooks/webhook';

/**
 * One row per webhook of a team. Written by its members; delivery state by workers (migration 0012_webhooks).
 */
export interface WebhooksTable {
  id: GeneratedAlways<number>;
  public_id: string;
  team_id: number;
  name: string | null;
  url: string;
  /** Format of the bodies; a chat's URL is a secret. */
  format: Generated<WebhookFormat>;
  events: WebhookEventKind[];
  sealed_secret: string;
  /** The part that is displayed: prefix and last four characters. */
  secret_hint: string;
  sealed_previous_secret: string | null;
  /** When the previous secret stops signing. */
  previous_secret_until: Date | null;
  enabled: Generated<boolean>;
  /** `person`: turned off by a member. Null while enabled. */
  disabled_reason: 'person' | 'failures' | null;
  /** First permanent failure since the last success. */
  failing_since: Date | null;
  /** Permanent failures since the last success. */
  failures: Generated<number>;
  last_delivered_at: Date | null;
  /** Worker that sends: one at a time, so a receiver gets one request at a time. */
  lease_owner: string | null;
  lease_until: Date | null;
  last_leased_at: Date | null;
  created_by: number | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type WebhookRow = Selectable<WebhooksTable>;
