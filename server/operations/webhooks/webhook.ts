import type { Tx } from '../../db/client';
import type { WebhookRow } from '../../db/schemaWebhooks';
import type { Json } from '../../db/schema';
import { findWebhook, lockWebhook } from '../../db/webhooks';
import { Problem } from '../../domain/problem';
import { CONFIRMED_SECONDS } from '../../domain/stepUp';
import { webhookUrlRefusal } from '../../domain/webhook';
import { OutboundError } from '../../drivers/net';
import { personOf, teamOf } from '../shared/caller';
import type { AuditEntry, Context } from '../types';
import { invalid } from '../workspaces/names';

const noWebhook = () => new Problem('NOT_FOUND', { message: 'The team has no such webhook.' });

/** @throws NOT_FOUND */
export async function webhookOf(ctx: Context, webhook_id: string): Promise<WebhookRow> {
  const row = await findWebhook(ctx.db, teamOf(ctx).id, webhook_id);
  if (!row) throw noWebhook();
  return row;
}

/** The same, held until the transaction ends. @throws NOT_FOUND */
export async function holdWebhook(trx: Tx, ctx: Context, webhook_id: string): Promise<WebhookRow> {
  const row = await lockWebhook(trx, teamOf(ctx).id, webhook_id);
  if (!row) throw noWebhook();
  return row;
}

/** The address in its one spelling, after asking where it leads. It is asked again at every delivery. @throws VALIDATION_FAILED */
export async function checkedUrl(ctx: Context, given: string): Promise<string> {
  const refusal = webhookUrlRefusal(given.trim());
  if (refusal !== null) throw invalid('url', refusal);
  const url = new URL(given.trim());
  try {
    await ctx.webhookNet.check(url);
  } catch (error) {
    if (error instanceof OutboundError) throw invalid('url', error.message);
    throw error;
  }
  return url.href;
}

export const checkedEvents = (events: readonly WebhookRow['events'][number][]) => [...new Set(events)];

export const nameOrNull = (name: string | null | undefined) => name?.trim() || null;

/** A secret lets others speak in this server's name: more is asked of who reads it than to be signed in. */
export function requireConfirmedFactor(ctx: Context): void {
  if (personOf(ctx).second_factor_at === null) throw new Problem('SECOND_FACTOR_NEEDED');
  const confirmed_at = ctx.caller.session?.confirmed_at;
  if (!confirmed_at || Date.now() - confirmed_at.getTime() > CONFIRMED_SECONDS * 1000)
    throw new Problem('CONFIRMATION_NEEDED');
}

/** What the audit log keeps. A query may hold a token of the receiver's. */
export function auditView(row: WebhookRow): Json {
  const url = new URL(row.url);
  if (url.search !== '') url.search = '?…';
  return { name: row.name, url: url.href, events: row.events, enabled: row.enabled };
}

export const auditOf = (row: WebhookRow, action: string): AuditEntry => ({
  action: `webhook.${action}`,
  target_kind: 'webhook',
  target_id: row.public_id,
});
