import { count } from '../texts/count';

/**
 * What expires, for the jobs that delete it, the screens that show it and docs/retention.md. All other data is kept as
 * long as the object it belongs to.
 */
export interface Retention {
  /** "Webhook deliveries". */
  what: string;
  /** Further words for the documentation: "resolved". */
  note?: string;
  /** How long it is kept. */
  days: number;
  /** How many are kept of each webhook, CVM or user. */
  newest?: { count: number; of: string };
  /** Where it can be exported. Null: nowhere, because nobody reads it. */
  export: string | null;
  /**
   * Who is notified before it is deleted: the team it belongs to, or administrators through the platform's audit log. Null:
   * nobody, for the reason in `unannounced`.
   */
  announced: 'team' | 'platform' | null;
  unannounced?: string;
}

export const RETENTION = {
  events: {
    what: 'Events',
    note: 'of CVMs and apps',
    days: 400,
    newest: { count: 100_000, of: 'CVM' },
    export: 'GET /workspaces/{slug}/events/export',
    announced: 'team',
  },
  webhook_deliveries: {
    what: 'Webhook deliveries',
    days: 30,
    newest: { count: 10_000, of: 'webhook' },
    export: 'GET /workspaces/{slug}/webhook-deliveries/export',
    announced: 'team',
  },
  rollouts: {
    what: 'Rollouts',
    note: 'after they end',
    days: 365,
    export: 'GET /workspaces/{slug}/rollouts/export',
    announced: 'team',
  },
  ai_requests: {
    what: 'AI requests',
    note: 'without prompts and answers, after they are charged',
    days: 90,
    export: 'GET /workspaces/{slug}/ai-requests/export',
    announced: 'team',
  },
  ai_checks: {
    what: 'Checks of AI upstreams',
    note: 'totals per hour',
    days: 30,
    export: 'GET /ai/catalog',
    announced: null,
    unannounced: 'They are used only for model uptime over the same 30 days.',
  },
  metrics: {
    what: 'Metrics',
    note: 'samples for two hours, then averages over up to two hours',
    days: 40,
    export: 'GET /cvms/{cvm_id}/metrics/export',
    announced: null,
    unannounced: 'Overwritten in place, continuously.',
  },
  notifications: {
    what: 'Notifications',
    days: 90,
    newest: { count: 500, of: 'user' },
    export: 'GET /account/export',
    announced: null,
    unannounced: 'Events and the audit log cover the same incidents.',
  },
  alerts: {
    what: 'Alerts',
    note: 'after they are resolved',
    days: 90,
    export: 'GET /admin/alerts?format=csv',
    announced: 'platform',
  },
  bulk_jobs: {
    what: 'Bulk jobs',
    note: 'of the admin area, with their results',
    days: 90,
    export: 'GET /admin/bulk-jobs?format=csv',
    announced: 'platform',
  },
  gpu_events: {
    what: 'GPU events',
    days: 365,
    export: 'GET /admin/gpu-events?format=csv',
    announced: 'platform',
  },
  abuse_reports: {
    what: 'Abuse reports',
    note: 'after they are dismissed or the app is reinstated',
    days: 365,
    export: 'GET /admin/abuse-reports?format=csv',
    announced: 'platform',
  },
  mail: {
    what: 'Sent mail',
    note: 'recipient, kind and outcome',
    days: 30,
    export: 'GET /admin/outbox?format=csv',
    announced: null,
    unannounced: 'Personal data, deleted on time.',
  },
  error_reports: {
    what: 'Error reports',
    note: 'from browsers, if no Sentry project is configured; at most 256 MB',
    days: 30,
    newest: { count: 20_000, of: 'installation' },
    export: 'GET /admin/monitoring-events?format=csv',
    announced: null,
    unannounced: 'Anyone can send them, so their number is always limited.',
  },
  chat_messages: {
    what: 'Chat messages',
    note: 'alerts the chat bot sent',
    days: 30,
    export: null,
    announced: null,
    unannounced:
      'The chat bot needs them only to update its messages. The chat service keeps its own copies.',
  },
} as const satisfies Record<string, Retention>;

/** How far ahead of the first deletion it is announced, so that the data can be exported. */
export const NOTICE_DAYS = 14;
/** A team gets at most one announcement of a kind in this time. */
export const PERIOD_DAYS = 90;

export type RetainedKind = keyof typeof RETENTION;

type AnnouncedTo<Audience> = {
  [K in RetainedKind]: (typeof RETENTION)[K]['announced'] extends Audience ? K : never;
}[RetainedKind];

/** Data that a team is notified about before it is deleted. */
export type TeamKind = AnnouncedTo<'team'>;
/** Data that administrators are notified about before it is deleted. */
export type PlatformKind = AnnouncedTo<'platform'>;
/** Data of which only the newest rows are kept, with an announcement to the team. */
export type LimitedKind = 'events' | 'webhook_deliveries';

/** "30 days", "1 year". */
export const keptDays = (days: number): string => (days === 365 ? '1 year' : `${days} days`);

/** "30 days, and the newest 10,000 of each webhook". */
export function keptFor(kind: RetainedKind): string {
  const { days, newest }: Retention = RETENTION[kind];
  return newest === undefined
    ? keptDays(days)
    : `${keptDays(days)}, and the newest ${count(newest.count)} of each ${newest.of}`;
}

/** Data with an export that a browser can open as a link, by its part of the path. */
const EXPORTS = {
  events: 'events',
  webhook_deliveries: 'webhook-deliveries',
  rollouts: 'rollouts',
  ai_requests: 'ai-requests',
} as const satisfies Partial<Record<TeamKind, string>>;

export type ExportedKind = keyof typeof EXPORTS;

/** Returns the address of a download; the browser sends the session cookie with it. */
export function exportHref(
  slug: string,
  kind: ExportedKind,
  format: 'csv' | 'jsonl',
  narrowed: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({ format, ...narrowed });
  return `/api/v1/workspaces/${encodeURIComponent(slug)}/${EXPORTS[kind]}/export?${query.toString()}`;
}
