import type {
  Webhook,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEventKind,
  WebhookFormat,
} from '../../../generated/api/types.gen';
import { formatOf } from '../../lib/webhookFormat';
import type { Glyph, Tone } from '../../ui/feedback/status';

/** When each event is sent. */
export const EVENTS: Record<WebhookEventKind, string> = {
  'cvm.created': 'A CVM was deployed and booted',
  'cvm.create_failed': 'A deployment failed',
  'cvm.started': 'A CVM was started manually or automatically',
  'cvm.restarted': 'A CVM was restarted',
  'cvm.updated': 'A new revision or size is live',
  'cvm.stopped': 'A CVM was stopped or stopped unexpectedly',
  'cvm.deleted': 'A CVM was deleted',
  'cvm.update.pending_approval': 'An update is waiting for on-chain approval',
  'cvm.schedule_warning': 'A CVM is scheduled to stop or be deleted within the hour',
  'domain.verified': 'A domain points to its app',
  'domain.broken': 'A domain no longer points to its app',
  'budget.alert': 'A budget has reached an alert threshold',
  'budget.used_up': 'A budget is used up',
  'debt.alert': 'A payment is due, or CVMs stop or are deleted because it wasn’t paid',
  'debt.settled': 'A debt is settled',
  'order.started': 'A reservation started or was renewed',
  'order.ending': 'A reservation ends soon',
  'order.ended': 'A reservation has ended or was canceled',
};

export const EVENT_KINDS = Object.keys(EVENTS) as WebhookEventKind[];

/** What each webhook format sends. */
export const FORMATS: Record<WebhookFormat, { label: string; help: string }> = {
  events: { label: 'Events as JSON', help: 'Signed, for your own program.' },
  slack: {
    label: 'Messages for Slack and compatible chats',
    help: 'For an incoming webhook URL from Slack, Mattermost, Rocket.Chat or Google Chat.',
  },
  discord: { label: 'Messages for Discord', help: 'For a channel’s webhook URL.' },
};

export const isChat = (format: WebhookFormat): boolean => format !== 'events';

export const STATES: Record<WebhookDelivery['state'], { tone: Tone; glyph: Glyph; word: string }> = {
  pending: { tone: 'progress', glyph: 'dot', word: 'Pending' },
  delivered: { tone: 'ok', glyph: 'check', word: 'Delivered' },
  failed: { tone: 'error', glyph: 'cross', word: 'Failed' },
  cancelled: { tone: 'neutral', glyph: 'archived', word: 'Canceled' },
};

const ERRORS: Record<NonNullable<WebhookAttempt['error']>, string> = {
  status: 'The receiver didn’t return a 2xx status.',
  redirect: 'The receiver redirected. Redirects aren’t followed.',
  timeout: 'The receiver didn’t respond within 10 seconds.',
  refused: 'This address isn’t allowed.',
  unknown_host: 'The host name doesn’t resolve.',
  unreachable: 'The receiver can’t be reached.',
};

/** Describes an attempt in one line. */
export function describeAttempt({ status, error, message }: WebhookAttempt): string {
  if (error === null) return message ?? `Accepted (${status}).`;
  return message ?? ERRORS[error];
}

/** Says why a delivery can't be resent now; undefined if it can. */
export function resendRefusal(
  { enabled, format }: Pick<Webhook, 'enabled' | 'format'>,
  { state, test, payload }: Pick<WebhookDelivery, 'state' | 'test' | 'payload'>,
): string | undefined {
  if (state === 'pending') return 'Already sending';
  if (!enabled && !test) return 'The webhook is disabled';
  return formatOf(payload) === format ? undefined : 'The webhook’s format has changed';
}

export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** 84 ms, 1.2 s */
export const duration = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);
