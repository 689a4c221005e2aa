import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookEventKind } from '../../generated/api/types.gen';

export type { WebhookEventKind } from '../../generated/api/types.gen';

/** Webhooks one team may have. */
export const MOST_WEBHOOKS = 20;

/** Waits before the second, third and fourth try of a delivery. */
export const RETRY_SECONDS = [60, 600, 3_600];

/** Longest one request may take, from the look-up of the name to the status line. */
export const ATTEMPT_MS = 10_000;

/** A receiver that has taken nothing for this long, and failed this often for good, is not called any more. */
export const DISABLE_AFTER = { days: 3, failures: 5 };

/** Tries of a delivery that are kept to be looked at. */
export const MOST_ATTEMPTS_KEPT = 20;

export const DEFAULT_OVERLAP_HOURS = 24;

export type AttemptError = 'status' | 'redirect' | 'timeout' | 'refused' | 'unknown_host' | 'unreachable';

/** One try as it is kept. Nothing of what the receiver said but its status. */
export interface WebhookAttempt {
  /** ISO 8601. */
  at: string;
  status: number | null;
  error: AttemptError | null;
  message: string | null;
  duration_ms: number;
}

export const newSecret = () => `whsec_${randomBytes(32).toString('base64url')}`;
/** What is shown of it: enough to tell two apart. */
export const secretHint = (secret: string) =>
  `${secret.startsWith('whsec_') ? 'whsec_' : ''}…${secret.slice(-4)}`;

/** 64 random bits. */
export const newEventId = () => `evt_${randomBytes(8).toString('hex')}`;

export const signatureOf = (secret: string, timestamp: string, body: string) =>
  `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;

interface Signing {
  event_id: string;
  event: string;
  body: string;
  secret: string;
  /** The former secret while it counts too. */
  previous: string | null;
  at: Date;
}

/** `PhalaCloud-Webhook/1.0` because receivers of the service we are compatible with may let in nothing else. */
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

/** The body, once and for all tries: the signature is over these bytes. */
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
  // It ended by itself, or came back by itself.
  'cvm.lost': 'cvm.stopped',
  'cvm.recovered': 'cvm.started',
  'update.pending_approval': 'cvm.update.pending_approval',
  'cvm.schedule_warning': 'cvm.schedule_warning',
  'domain.verified': 'domain.verified',
  'domain.broken': 'domain.broken',
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

/** What webhooks are told of an event of the team; null when nothing. */
export function webhookEventOf(event: Told): ToldHow | null {
  const kind = KINDS[event.kind];
  if (kind === undefined) return null;
  const more = {
    ...(kind.startsWith('domain.') ? { domain: domainOf(event.data) } : {}),
    ...(kind === 'cvm.schedule_warning' ? { message: event.message } : {}),
  };
  return event.severity === 'error'
    ? { event: kind, status: 'error', error: event.message, ...more }
    : { event: kind, status: event.cvm_status ?? 'unknown', ...more };
}

const domainOf = (data: unknown): string =>
  typeof data === 'object' && data !== null && 'domain' in data ? String(data.domain) : '';

/** Ports of other protocols whose servers can be made to read a request as commands (Fetch standard, "port blocking"). */
const OTHER_PROTOCOLS = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
]);

/**
 * Why this cannot be the address of a webhook, before DNS is asked; null when it can. Of the ports under 1024 only
 * those of HTTP: mail, SSH and the like are nobody's webhook.
 */
export function webhookUrlRefusal(text: string): string | null {
  if (!URL.canParse(text)) return 'Enter an address such as https://hooks.example.com/teehouse.';
  const url = new URL(text);
  if (url.hash !== '') return 'The part after # is never sent: leave it out.';
  const port = url.port === '' ? null : Number(url.port);
  if (port !== null && ((port < 1024 && port !== 443 && port !== 80) || OTHER_PROTOCOLS.has(port)))
    return `Port ${port} belongs to another protocol.`;
  return null;
}

/** When a try that failed is repeated; null after the last. `tries` counts this one. */
export const retryAt = (tries: number, now: Date, ladder: readonly number[] = RETRY_SECONDS): Date | null => {
  const seconds = ladder[tries - 1];
  return seconds === undefined ? null : new Date(now.getTime() + seconds * 1000);
};
