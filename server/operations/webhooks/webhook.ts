import type { Tx } from '../../db/core/client';
import type { WebhookRow } from '../../db/webhooks/webhooksTable';
import type { Json } from '../../db/core/json';
import { resolveNotices } from '../../db/notifications/notifications';
import { findWebhook, lockWebhook } from '../../db/webhooks/webhooks';
import { Problem } from '../../domain/core/problem';
import { tidyName } from '../../domain/accounts/username';
import { CONFIRMED_SECONDS } from '../../domain/accounts/stepUp';
import { webhookVersion } from '../../domain/teams/teamVersions';
import { hiddenPath, isChat } from '../../domain/webhooks/chatMessage';
import { decide, subjectOf } from '../../domain/teams/permissions';
import { webhookUrlRefusal } from '../../domain/webhooks/webhook';
import { webhookOut } from '../../domain/webhooks/webhookResponse';
import { OutboundError } from '../../drivers/net';
import { userOf, teamOf } from '../core/caller';
import { checkIfMatch } from '../core/ifMatch';
import type { AuditEntry, Context } from '../types';
import { invalidField } from '../core/invalid';

const noWebhook = () => new Problem('NOT_FOUND', { message: 'Webhook not found in this team.' });

/** @throws NOT_FOUND */
export async function webhookOf(ctx: Context, webhook_id: string): Promise<WebhookRow> {
  const row = await findWebhook(ctx.db, teamOf(ctx).id, webhook_id);
  if (!row) throw noWebhook();
  return row;
}

/** Like `webhookOf`, but locked until the transaction ends. @throws NOT_FOUND */
export async function holdWebhook(trx: Tx, ctx: Context, webhook_id: string): Promise<WebhookRow> {
  const row = await lockWebhook(trx, teamOf(ctx).id, webhook_id);
  if (!row) throw noWebhook();
  return row;
}

/**
 * Ends the notice that deliveries fail, after a member deleted or turned off the webhook or gave it a fresh start: no
 * later delivery would report that it works again.
 */
export const endFailureNotice = (
  trx: Tx,
  { team_id, public_id }: Pick<WebhookRow, 'team_id' | 'public_id'>,
): Promise<void> =>
  resolveNotices(
    trx,
    [{ kind: 'webhook_failed', subject: `webhook:${public_id}`, message: null, team_id }],
    new Date(),
  );

/** @throws PRECONDITION_FAILED */
export const checkWebhookVersion = (ctx: Context, trx: Tx, row: WebhookRow): Promise<void> =>
  checkIfMatch(ctx, trx, {
    version: webhookVersion,
    row,
    etag: webhookOut(row).etag,
    team_id: row.team_id,
    target_id: row.public_id,
    actions: ['webhook.update', 'webhook.rotate_secret'],
    name: row.name ?? new URL(row.url).host,
  });

/**
 * Returns the normalized URL after checking where it resolves to; every delivery checks again.
 * @param reasonOf formats a refusal for the caller who entered the URL @throws VALIDATION_FAILED
 */
export async function checkedUrl(
  net: Context['webhookNet'],
  given: string,
  reasonOf: (error: OutboundError) => string = ({ message }) => message,
): Promise<string> {
  const refusal = webhookUrlRefusal(given.trim());
  if (refusal !== null) throw invalidField('url', refusal);
  const url = new URL(given.trim());
  try {
    await net.check(url);
  } catch (error) {
    if (error instanceof OutboundError) throw invalidField('url', reasonOf(error));
    throw error;
  }
  return url.href;
}

export const checkedEvents = (events: readonly WebhookRow['events'][number][]) => [...new Set(events)];

export const nameOrNull = (name: string | null | undefined) => tidyName(name ?? '') || null;

/**
 * The secret lets others send in this server's name, so reading it requires more than being signed in.
 */
export function requireConfirmedFactor(ctx: Context): void {
  if (userOf(ctx).second_factor_at === null) throw new Problem('SECOND_FACTOR_NEEDED');
  const confirmed_at = ctx.caller.session?.confirmed_at;
  if (!confirmed_at || Date.now() - confirmed_at.getTime() > CONFIRMED_SECONDS * 1000)
    throw new Problem('CONFIRMATION_NEEDED');
}

export const mayWriteWebhooks = ({ caller }: Context): boolean =>
  decide('webhooks.write', subjectOf(caller)) === 'allowed';

/**
 * Returns the audited fields. A URL's query may hold the receiver's token, and a chat URL's path is one.
 * @param other the same webhook before or after a change: the URL may already or still be a chat's
 */
export function auditView(row: WebhookRow, other: WebhookRow = row): Json {
  const { name, format, events, enabled } = row;
  return { name, url: auditedUrl(row.url, isChat(format) || isChat(other.format)), format, events, enabled };
}

function auditedUrl(given: string, isSecret: boolean): string {
  if (isSecret) return hiddenPath(given);
  const url = new URL(given);
  if (url.search !== '') url.search = '?…';
  return url.href;
}

export const auditOf = (row: WebhookRow, action: string): AuditEntry => ({
  action: `webhook.${action}`,
  target_kind: 'webhook',
  target_id: row.public_id,
});
