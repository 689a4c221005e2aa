import type { WebhookAttempt, WebhookDelivery, WebhookEventKind } from '../../../generated/api/types.gen';
import type { Glyph, Tone } from '../../ui/feedback/status';

/** What one can be told, and when that is. */
export const EVENTS: Record<WebhookEventKind, string> = {
  'cvm.created': 'A CVM was deployed and has booted',
  'cvm.create_failed': 'A deployment failed',
  'cvm.started': 'A CVM was started, or runs again by itself',
  'cvm.restarted': 'A CVM was restarted',
  'cvm.updated': 'Another revision or size is live',
  'cvm.stopped': 'A CVM was stopped, or stopped by itself',
  'cvm.deleted': 'A CVM was deleted',
  'cvm.update.pending_approval': 'An update waits to be approved on chain',
  'cvm.schedule_warning': 'A CVM is stopped or deleted by its schedule within the hour',
  'domain.verified': 'A domain leads to its app',
  'domain.broken': 'A domain no longer leads to its app',
};

export const EVENT_KINDS = Object.keys(EVENTS) as WebhookEventKind[];

export const STATES: Record<WebhookDelivery['state'], { tone: Tone; glyph: Glyph; word: string }> = {
  pending: { tone: 'progress', glyph: 'dot', word: 'Waiting' },
  delivered: { tone: 'ok', glyph: 'check', word: 'Delivered' },
  failed: { tone: 'error', glyph: 'cross', word: 'Failed' },
  cancelled: { tone: 'neutral', glyph: 'archived', word: 'Cancelled' },
};

const ERRORS: Record<NonNullable<WebhookAttempt['error']>, string> = {
  status: 'It did not answer with 2xx.',
  redirect: 'It redirects; redirects are not followed.',
  timeout: 'It did not answer within 10 seconds.',
  refused: 'The address may not be used.',
  unknown_host: 'The name has no address.',
  unreachable: 'It could not be reached.',
};

/** How a try went, in a line. */
export function attemptInWords({ status, error, message }: WebhookAttempt): string {
  if (error === null) return message ?? `Taken (${status}).`;
  return message ?? ERRORS[error];
}

export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** 84 ms, 1.2 s */
export const duration = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);
