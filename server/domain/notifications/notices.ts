import { endWords, isOperationType } from '../../../console/lib/cvms/operationWords';
import { ownValue } from '../../../console/lib/ownValue';
import { SILENT_HOST, type Notice, type NotificationKind } from './notify';

interface NoticeEvent {
  kind: string;
  severity: string;
  message: string;
  cvm_id: number | null;
  cvm_name: string | null;
  cvm_status: string | null;
  app_id: string | null;
  data: unknown;
}

type Cause = (event: NoticeEvent) => Notice[];
type Open = Extract<Notice, { state: 'open' }>;
type Over = Extract<Notice, { state: 'over' }>;

const text = ({ data }: NoticeEvent, key: string): string =>
  typeof data === 'object' && data !== null && Object.hasOwn(data, key)
    ? String(ownValue(data as Record<string, unknown>, key))
    : '';

/** "load_balancer" to "Load balancer" */
const capitalized = (kind: string): string =>
  kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ');

const nameOf = ({ cvm_name }: NoticeEvent): string => cvm_name ?? 'A CVM';
const subjectOf = ({ cvm_id, app_id }: NoticeEvent): string =>
  cvm_id === null ? `app:${app_id ?? 'none'}` : `cvm:${cvm_id}`;

/** A problem with the event's text, about its CVM or app unless another subject is named. */
const opens = (
  event: NoticeEvent,
  kind: NotificationKind,
  title: string,
  more: Partial<Pick<Open, 'subject' | 'severity' | 'message'>> = {},
): Notice[] => [
  {
    state: 'open',
    kind,
    subject: subjectOf(event),
    severity: event.severity === 'warning' ? 'warning' : 'error',
    title,
    message: event.message,
    ...more,
  },
];

const ends = (
  event: NoticeEvent,
  kind: NotificationKind,
  more: Partial<Pick<Over, 'subject' | 'message' | 'title'>> = {},
): Notice[] => [{ state: 'over', kind, subject: subjectOf(event), message: event.message, ...more }];

const CVM_CAUSES = {
  'cvm.lost': (event) =>
    opens(
      event,
      'cvm_down',
      text(event, 'since') === '' ? `${nameOf(event)} is down` : `${nameOf(event)} is lost`,
    ),
  // Comes before the start that follows, which would report that it runs again, as if its data were back.
  'cvm.given_up': (event) =>
    ends(event, 'cvm_down', {
      message: `Given up: ${nameOf(event)} starts on ${text(event, 'host')} with an empty disk`,
    }),
  'cvm.found': (event) => ends(event, 'cvm_down', { message: `The host lists ${nameOf(event)} again` }),
  'cvm.recovered': (event) => ends(event, 'cvm_down', { message: `${nameOf(event)} is running again` }),
  'cvm.disk_low': (event) => opens(event, 'disk_low', `${nameOf(event)} is running out of disk`),
  'cvm.disk_recovered': (event) =>
    // One notice is about all of its disks.
    Number(text(event, 'disks_still_low')) > 0
      ? []
      : ends(event, 'disk_low', { message: `${nameOf(event)} has free disk space again` }),
  'cvm.schedule_warning': (event) => {
    const done = text(event, 'what') === 'delete' ? 'deleted' : 'stopped';
    return opens(event, 'cvm_schedule', `${nameOf(event)} will be ${done} soon`, { severity: 'warning' });
  },
  'cvm.bin_gave_way': (event) =>
    opens(event, 'cvm_schedule', `${nameOf(event)} was destroyed before its recycle bin period ended`, {
      severity: 'warning',
    }),
} satisfies Record<string, Cause>;

/** About a CVM's host: one row per CVM, regardless of the messages. */
const ofHost =
  (what: 'drain' | 'maintenance', titleFor: (name: string) => string): Cause =>
  (event) =>
    opens(event, 'host_trouble', titleFor(nameOf(event)), {
      subject: `${what}:${subjectOf(event)}`,
      severity: 'warning',
    });

const HOST_CAUSES = {
  'cvm.drain_notice': ofHost('drain', (name) => `${name} will be stopped`),
  'cvm.drain_stopped': ofHost('drain', (name) => `${name} was stopped`),
  'cvm.drain_moved': ofHost('drain', (name) => `${name} was moved to another host`),
  'cvm.drain_cancelled': (event) =>
    ends(event, 'host_trouble', {
      subject: `drain:${subjectOf(event)}`,
      title: `${nameOf(event)} won’t be stopped`,
      message: 'Its host stays in service',
    }),
  'cvm.maintenance_planned': ofHost('maintenance', (name) => `Maintenance is scheduled for ${name}’s host`),
  'cvm.maintenance_began': ofHost('maintenance', (name) => `${name}’s host is under maintenance`),
  'cvm.maintenance_over': (event) =>
    ends(event, 'host_trouble', { subject: `maintenance:${subjectOf(event)}` }),
  'host.unreachable': (event) =>
    opens(event, 'host_trouble', `The host ${text(event, 'teepod')} isn’t responding`, {
      subject: silentHost(event),
      severity: 'error',
    }),
  'host.recovered': (event) => ends(event, 'host_trouble', { subject: silentHost(event) }),
} satisfies Record<string, Cause>;

const silentHost = (event: NoticeEvent): string => `${SILENT_HOST}${text(event, 'teepod_id')}`;

const failingWebhook =
  (title: string): Cause =>
  (event) =>
    opens(event, 'webhook_failed', title, { subject: webhook(event), severity: 'error' });
const webhook = (event: NoticeEvent): string => `webhook:${text(event, 'webhook_id')}`;
const domain = (event: NoticeEvent): string => `domain:${text(event, 'domain_id')}`;

const TEAM_CAUSES = {
  'domain.verified': (event) => ends(event, 'domain_trouble', { subject: domain(event) }),
  'domain.broken': (event) =>
    opens(event, 'domain_trouble', `${text(event, 'domain')} doesn’t route to the app`, {
      subject: domain(event),
      severity: 'error',
    }),
  'webhook.failed': failingWebhook('A webhook is failing'),
  'webhook.disabled': failingWebhook('A webhook was turned off'),
  'webhook.recovered': (event) => ends(event, 'webhook_failed', { subject: webhook(event) }),
  'cvm.listed': (event) => {
    // A member's own decision notifies nobody.
    const refused = text(event, 'is_refused');
    const subject = `listing:app:${event.app_id ?? 'none'}`;
    if (refused === '') return [];
    if (refused === 'false') return ends(event, 'listing', { subject });
    const title = `The operators removed ${text(event, 'app_name')} from the explorer`;
    return opens(event, 'listing', title, { subject, severity: 'warning' });
  },
} satisfies Record<string, Cause>;

const budget = (event: NoticeEvent): string => `budget:${text(event, 'budget_id')}`;
const overspent: Cause = (event) => opens(event, 'budget', text(event, 'title'), { subject: budget(event) });

/** Each one is separate: a later one doesn't replace it. */
const order: Cause = (event) => {
  const why = text(event, 'why');
  return opens(event, 'order', text(event, 'title'), {
    subject: `${event.kind}:${text(event, 'order_id')}:${text(event, 'term')}${why === '' ? '' : `:${why}`}`,
    ...(event.severity === 'info' ? { severity: 'info' } : {}),
  });
};

const MONEY_CAUSES = {
  'budget.alert': overspent,
  'budget.used_up': overspent,
  'budget.over': (event) => ends(event, 'budget', { subject: budget(event) }),
  'order.paid': order,
  'order.started': order,
  'order.ending': order,
  'order.renewed': order,
  'order.renewal_failed': order,
  'order.ended': order,
  'order.cancelled': order,
  'order.expired': order,
} satisfies Record<string, Cause>;

const CAUSES = { ...CVM_CAUSES, ...HOST_CAUSES, ...TEAM_CAUSES, ...MONEY_CAUSES };

/**
 * Events that cause notices, besides operations that succeed or fail. The trigger `events_feed` must let each through:
 * a new one needs a migration.
 */
export const NOTICED_EVENTS = Object.keys(CAUSES) as (keyof typeof CAUSES)[];

/** Returns the notices an event causes; most cause none. */
export function noticesOf(event: NoticeEvent): Notice[] {
  const cause: Cause | undefined = ownValue(CAUSES, event.kind);
  if (cause) return cause(event);
  const [what = '', how = ''] = event.kind.split('.');
  if (how === 'failed') return afterFailure(what, event);
  return how === 'succeeded' ? afterSuccess(what, event) : [];
}

function afterFailure(operation: string, event: NoticeEvent): Notice[] {
  const { message } = event;
  const headline = isOperationType(operation)
    ? endWords(operation, 'failed', {
        restores: text(event, 'restores') === 'true',
        rolls_back: text(event, 'rolls_back') === 'true',
      })
    : `${capitalized(operation)} failed`;
  return opens(event, 'operation_failed', `${headline}: ${nameOf(event)}`, {
    severity: 'error',
    // The title has the headline.
    message: message.startsWith(`${headline}: `) ? message.slice(headline.length + 2) : message,
  });
}

/** A later success resolves the failure. A CVM that was started or deleted is not down. */
function afterSuccess(operation: string, event: NoticeEvent): Notice[] {
  const subject = subjectOf(event);
  const gone = operation === 'delete';
  const up = ['start', 'restart', 'update', 'resize', 'deploy', 'move'].includes(operation);
  // An update or resize leaves a stopped CVM stopped.
  const back = up && event.cvm_status === 'running' ? `${nameOf(event)} is running again` : null;
  return [
    { state: 'over', kind: 'operation_failed', subject, message: null },
    ...(gone || (up && operation !== 'deploy')
      ? [{ state: 'over', kind: 'host_trouble', subject: `drain:${subject}`, message: null } as const]
      : []),
    // Its former host's maintenance no longer concerns it, and nothing else reports that it ended.
    ...(gone || operation === 'move'
      ? [{ state: 'over', kind: 'host_trouble', subject: `maintenance:${subject}`, message: null } as const]
      : []),
    ...(gone || up || operation === 'stop' || operation === 'shutdown'
      ? [{ state: 'over', kind: 'cvm_down', subject, message: back } as const]
      : []),
    ...(gone || operation === 'stop' || operation === 'shutdown'
      ? [{ state: 'over', kind: 'cvm_schedule', subject, message: null } as const]
      : []),
    ...(gone ? [{ state: 'over', kind: 'disk_low', subject, message: null } as const] : []),
  ];
}
