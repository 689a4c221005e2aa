import type { Webhook, WebhookDelivery } from '../../../generated/api/types.gen';
import { webhookVersion } from '../teams/teamVersions';
import { hiddenPath, isChat } from './chatMessage';
import type { WebhookAttempt, WebhookEventKind, WebhookFormat } from './webhook';

interface WebhookFields {
  public_id: string;
  url: string;
  format: WebhookFormat;
  sealed_secret: string;
  secret_hint: string;
  events: WebhookEventKind[];
  name: string | null;
  enabled: boolean;
  disabled_reason: 'person' | 'failures' | null;
  previous_secret_until: Date | null;
  failing_since: Date | null;
  last_delivered_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

interface Shown {
  /** The full secret, when it is shown; otherwise only its hint. */
  secret?: string;
  /** Whether the caller may change it, and so may know the URL of a chat. */
  writable?: boolean;
  now?: Date;
}

export const webhookOut = (
  row: WebhookFields,
  { secret, writable = true, now = new Date() }: Shown = {},
): Webhook => {
  const shown = {
    id: row.public_id,
    url: !writable && isChat(row.format) ? hiddenPath(row.url) : row.url,
    format: row.format,
    secret: secret ?? row.secret_hint,
    events: row.events,
    name: row.name,
    enabled: row.enabled,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    previous_secret_until:
      row.previous_secret_until !== null && row.previous_secret_until > now
        ? row.previous_secret_until.toISOString()
        : null,
    disabled_reason: row.disabled_reason,
    failing_since: row.failing_since?.toISOString() ?? null,
    last_delivered_at: row.last_delivered_at?.toISOString() ?? null,
  };
  return { ...shown, etag: webhookVersion.etag(row, { ...shown, secret: row.secret_hint }) };
};

interface DeliveryFields {
  event_id: string;
  event: WebhookEventKind;
  state: WebhookDelivery['state'];
  test: boolean;
  attempts: WebhookAttempt[];
  next_attempt_at: Date | null;
  created_at: Date;
  finished_at: Date | null;
  body: string;
}

export const webhookDeliveryOut = (row: DeliveryFields): WebhookDelivery => ({
  event_id: row.event_id,
  event: row.event,
  state: row.state,
  test: row.test,
  attempts: row.attempts,
  next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
  payload: JSON.parse(row.body) as Record<string, unknown>,
});
