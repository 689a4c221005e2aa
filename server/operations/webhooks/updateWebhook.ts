import type { WebhookPatch } from '../../../generated/api/types.gen';
import type { WebhookRow } from '../../db/webhooks/webhooksTable';
import { cancelDeliveries } from '../../db/webhooks/webhookDeliveries';
import { changeWebhook, type WebhookChange } from '../../db/webhooks/webhooks';
import { webhookOut } from '../../domain/webhooks/webhookResponse';
import type { Handler } from '../types';
import {
  auditOf,
  auditView,
  checkedEvents,
  checkedUrl,
  checkWebhookVersion,
  endFailureNotice,
  holdWebhook,
  nameOrNull,
  webhookOf,
} from './webhook';

export const updateWebhook: Handler<'updateWebhook'> = async ({ path, body, ctx }) => {
  await webhookOf(ctx, path.webhook_id);
  const url = body.url === undefined ? undefined : await checkedUrl(ctx.webhookNet, body.url);
  return ctx.write(async ({ trx, audit }) => {
    const before = await holdWebhook(trx, ctx, path.webhook_id);
    await checkWebhookVersion(ctx, trx, before);
    const after = await changeWebhook(trx, before.id, changeOf(before, body, url));
    // Pending deliveries are in the former format.
    const reformatted = before.format !== after.format;
    const turnedOff = before.enabled && !after.enabled;
    if (turnedOff || reformatted) await cancelDeliveries(trx, after.id);
    if (turnedOff || isFreshStart(before, after)) await endFailureNotice(trx, after);
    await audit({
      ...auditOf(after, 'update'),
      before: auditView(before, after),
      after: auditView(after, before),
    });
    const changed = webhookOut(after);
    return { status: 200, headers: { ETag: changed.etag }, body: changed } as const;
  });
};

/** A new URL or re-enabling is a fresh start: earlier failures no longer count. */
const isFreshStart = (
  before: Pick<WebhookRow, 'url' | 'enabled'>,
  { url, enabled }: Pick<WebhookRow, 'url' | 'enabled'>,
): boolean => url !== before.url || (enabled && !before.enabled);

function changeOf(before: WebhookRow, body: WebhookPatch, url: string | undefined): WebhookChange {
  const enabled = body.enabled ?? before.enabled;
  const fresh = isFreshStart(before, { url: url ?? before.url, enabled });
  return {
    enabled,
    disabled_reason: enabled ? null : (before.disabled_reason ?? 'person'),
    ...(url === undefined ? {} : { url }),
    ...(body.format === undefined ? {} : { format: body.format }),
    ...(body.events === undefined ? {} : { events: checkedEvents(body.events) }),
    ...(body.name === undefined ? {} : { name: nameOrNull(body.name) }),
    ...(fresh ? { failing_since: null, failures: 0 } : {}),
  };
}
