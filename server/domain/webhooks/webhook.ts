import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookEventKind } from '../../../generated/api/types.gen';
import { ownValue } from '../../../console/lib/ownValue';

export type { WebhookEventKind, WebhookFormat } from '../../../generated/api/types.gen';

/** Webhooks one team may have. */
export const MAX_WEBHOOKS = 20;

/** Waits before a delivery's second, third and fourth attempts. */
export const RETRY_SECONDS = [60, 600, 3_600];

/** Time limit of one request, from the DNS lookup to the status line. */
export const ATTEMPT_MS = 10_000;

/** A receiver that has accepted nothing for this long, and failed this often for good, is turned off. */
export const DISABLE_AFTER = { days: 3, failures: 5 };

/** Attempts kept per delivery for display. */
export const MAX_ATTEMPTS_KEPT = 20;

export const DEFAULT_OVERLAP_HOURS = 24;

type AttemptError = 'status' | 'redirect' | 'timeout' | 'refused' | 'unknown_host' | 'unreachable';

/** One recorded attempt. Of the receiver's response only the status is kept. */
export interface WebhookAttempt {
  /** ISO 8601. */
  at: string;
  status: number | null;
  error: AttemptError | null;
  message: string | null;
  duration_ms: number;
}

export const newSecret = () => `whsec_${randomBytes(32).toString('base64url')}`;
/** The displayed part: enough to tell two apart. */
export const secretHint = (secret: string) =>
  `${secret.startsWith('whsec_') ? 'whsec_' : ''}…${secret.slice(-4)}`;

/** 64 random bits. */
export const newEventId = () => `evt_${randomBytes(8).toString('hex')}`;

const signatureOf = (secret: string, timestamp: string, body: string) =>
  `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;

interface Signing {
  event_id: string;
  event: string;
  body: string;
  secret: string;
  /** The previous secret while it is still valid. */
  previous: string | null;
  at: Date;
}

/** `PhalaCloud-Webhook/1.0` because receivers of the compatible service may accept nothing else. */
export function webhookHeaders({ event_id, event, body, secret, previous, at }: Signing) {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  return {
    'content-type': 'application/json',
    'user-agent': 'PhalaCloud-Webhook/1.0',
    'x-webhook-id': event_id,
    'x-webhook-event': event,
    'x-webhook-timestamp': timestamp,
    'x-webhook-signature': signatureOf(secret, timestamp, body),
    ...(previous === null ? {} : { 'x-webhook-signature-previous': signatureOf(previous, timestamp, body) }),
  };
}

export interface WebhookPayload {
  event_id: string;
  event: WebhookEventKind;
  at: Date;
  team: { slug: string; name: string };
  data: {
    cvm_id: string | null;
    cvm_name: string | null;
    app_id: string | null;
    status: string;
    error?: string;
    domain?: string;
    message?: string;
    test?: true;
  };
}

/** The body, identical for all attempts: the signature covers these bytes. */
export const webhookBody = ({ event_id, event, at, team, data }: WebhookPayload): string =>
  JSON.stringify({
    id: event_id,
    event,
    version: '1',
    created_at: at.toISOString(),
    workspace: { id: team.slug, name: team.name },
    data,
  });

const KINDS: Readonly<Record<string, WebhookEventKind>> = {
  'deploy.succeeded': 'cvm.created',
  'deploy.failed': 'cvm.create_failed',
  'start.succeeded': 'cvm.started',
  'restart.succeeded': 'cvm.restarted',
  'update.succeeded': 'cvm.updated',
  'resize.succeeded': 'cvm.updated',
  'stop.succeeded': 'cvm.stopped',
  'shutdown.succeeded': 'cvm.stopped',
  'delete.succeeded': 'cvm.deleted',
  // It stopped or recovered without an operation.
  'cvm.lost': 'cvm.stopped',
  'cvm.recovered': 'cvm.started',
  'update.pending_approval': 'cvm.update.pending_approval',
  'cvm.schedule_warning': 'cvm.schedule_warning',
  'domain.verified': 'domain.verified',
  'domain.broken': 'domain.broken',
  'budget.alert': 'budget.alert',
  'budget.used_up': 'budget.used_up',
  'debt.alert': 'debt.alert',
  'debt.settled': 'debt.settled',
  'order.started': 'order.started',
  'order.renewed': 'order.started',
  'order.ending': 'order.ending',
  'order.ended': 'order.ended',
  'order.cancelled': 'order.ended',
};

interface Told {
  kind: string;
  severity: string;
  message: string;
  cvm_status: string | null;
  data?: unknown;
}

interface ToldHow {
  event: WebhookEventKind;
  status: string;
  error?: string;
  domain?: string;
  message?: string;
}

/** Returns the webhook event for a team event; null when there is none. */
export function webhookEventOf(event: Told): ToldHow | null {
  const kind = ownValue(KINDS, event.kind);
  if (kind === undefined) return null;
  const more = {
    ...(kind.startsWith('domain.') ? { domain: domainOf(event.data) } : {}),
    ...(kind === 'cvm.schedule_warning' ? { message: event.message } : {}),
  };
  if (kind.startsWith('budget.'))
    return { event: kind, status: kind === 'budget.alert' ? 'alert' : 'used_up', message: event.message };
  if (kind.startsWith('debt.')) return { event: kind, status: stageOf(event.data), message: event.message };
  if (kind.startsWith('order.'))
    return { event: kind, status: kind === 'order.ended' ? 'ended' : 'active', message: event.message };
  return event.severity === 'error'
    ? { event: kind, status: 'error', error: event.message, ...more }
    : { event: kind, status: event.cvm_status ?? 'unknown', ...more };
}

/** Returns the title of an event whose message doesn't say what it is about. */
export const titleOf = ({ kind, data }: Pick<Told, 'kind' | 'data'>): string | undefined =>
  /^(order|debt)\./.test(kind) && typeof data === 'object' && data !== null && 'title' in data
    ? String(data.title)
    : undefined;

const domainOf = (data: unknown): string =>
  typeof data === 'object' && data !== null && 'domain' in data ? String(data.domain) : '';

/** A debt's stage (`domain/billing/debt`), or that it is settled. */
const stageOf = (data: unknown): string =>
  typeof data === 'object' && data !== null && 'stage' in data ? String(data.stage) : 'settled';

/**
 * Ports of other protocols whose servers can be made to read a request as commands (Fetch standard, "port
 * blocking").
 */
const OTHER_PROTOCOLS = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
]);

/**
 * Why this can't be a webhook's URL, before DNS is queried; null when it can. Of the ports under 1024 only
 * HTTP's: mail, SSH and the like are never webhooks.
 */
export function webhookUrlRefusal(text: string): string | null {
  if (!URL.canParse(text)) return 'Enter a URL such as https://hooks.example.com/teehouse.';
  const url = new URL(text);
  if (url.hash !== '') return 'The part after # is never sent. Remove it.';
  const port = url.port === '' ? null : Number(url.port);
  if (port !== null && ((port < 1024 && port !== 443 && port !== 80) || OTHER_PROTOCOLS.has(port)))
    return `Port ${port} belongs to another protocol.`;
  return null;
}

/** When a failed attempt is repeated; null after the last. `tries` includes this one. */
export const retryAt = (tries: number, now: Date, ladder: readonly number[] = RETRY_SECONDS): Date | null => {
  const seconds = ladder[tries - 1];
  return seconds === undefined ? null : new Date(now.getTime() + seconds * 1000);
};
