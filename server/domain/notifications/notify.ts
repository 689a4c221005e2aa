import type { NotificationKind } from '../../../generated/api/types.gen';
import type { Permission } from '../../../generated/api/permissions.gen';
import { PAYING_ROLES, type TeamRole } from '../core/caller';
import { permissionsOfStaff } from '../teams/permissions';
import { endWords, isOperationType } from '../../../console/lib/cvms/operationWords';
import { ownValue } from '../../../console/lib/ownValue';

export type { NotificationKind } from '../../../generated/api/types.gen';

/** A user gets at most one mail of a kind in this time, covering everything within it. */
export const GATHER_SECONDS = 5 * 60;

/** No second mail about the same problem in this time, even if it recurs. */
export const COOL_DOWN_SECONDS = 60 * 60;

/** Items listed in one mail; the rest is counted. */
export const MAX_PER_MAIL = 20;

export interface Preference {
  console: boolean;
  mail: boolean;
}

const EVERYBODY: readonly TeamRole[] = ['viewer', 'member', 'billing', 'admin', 'owner'];
const WHO_DEPLOYS: readonly TeamRole[] = ['member', 'admin', 'owner'];
const WHO_MANAGES: readonly TeamRole[] = ['admin', 'owner'];
const WHO_PAYS: readonly TeamRole[] = PAYING_ROLES;

interface Kind {
  /** Which roles it concerns, and who gets mail about it by default. */
  roles: readonly TeamRole[];
  mail: readonly TeamRole[];
  tellsRecovery: boolean;
  /** It concerns staff with this permission instead, regardless of their team roles. */
  staff?: Permission;
}

export const KINDS: Readonly<Record<NotificationKind, Kind>> = {
  operation_failed: { roles: EVERYBODY, mail: WHO_DEPLOYS, tellsRecovery: false },
  cvm_down: { roles: EVERYBODY, mail: WHO_DEPLOYS, tellsRecovery: true },
  host_trouble: { roles: EVERYBODY, mail: WHO_DEPLOYS, tellsRecovery: true },
  disk_low: { roles: EVERYBODY, mail: WHO_DEPLOYS, tellsRecovery: true },
  token_expiring: { roles: WHO_DEPLOYS, mail: WHO_DEPLOYS, tellsRecovery: false },
  webhook_failed: { roles: WHO_MANAGES, mail: WHO_MANAGES, tellsRecovery: true },
  cvm_schedule: { roles: EVERYBODY, mail: WHO_DEPLOYS, tellsRecovery: false },
  domain_trouble: { roles: EVERYBODY, mail: WHO_DEPLOYS, tellsRecovery: true },
  template_version: { roles: WHO_DEPLOYS, mail: [], tellsRecovery: false },
  debt: { roles: WHO_PAYS, mail: WHO_PAYS, tellsRecovery: true },
  invoice: { roles: WHO_PAYS, mail: WHO_PAYS, tellsRecovery: true },
  payment: { roles: WHO_PAYS, mail: WHO_PAYS, tellsRecovery: false },
  budget: { roles: WHO_PAYS, mail: WHO_PAYS, tellsRecovery: false },
  order: { roles: WHO_PAYS, mail: WHO_PAYS, tellsRecovery: false },
  announcement: { roles: EVERYBODY, mail: EVERYBODY, tellsRecovery: false },
  listing: { roles: EVERYBODY, mail: WHO_MANAGES, tellsRecovery: true },
  finance_action: { roles: [], mail: [], tellsRecovery: false, staff: 'admin.billing.write' },
  abuse_report: { roles: [], mail: [], tellsRecovery: false, staff: 'admin.abuse.write' },
};

export const NOTIFICATION_KINDS = Object.keys(KINDS) as NotificationKind[];

/**
 * Returns a role's default setting; null when the kind doesn't concern it.
 * @param platform_role of the user, for kinds that concern staff
 */
export function usualPreference(
  kind: NotificationKind,
  role: TeamRole,
  platform_role: string | null = null,
): Preference | null {
  const { roles, mail, staff } = KINDS[kind];
  if (staff !== undefined)
    return permissionsOfStaff(platform_role).includes(staff) ? { console: true, mail: true } : null;
  return roles.includes(role) ? { console: true, mail: mail.includes(role) } : null;
}

/** A problem opens or is resolved. */
export type Notice =
  | {
      state: 'open';
      kind: NotificationKind;
      subject: string;
      severity: 'info' | 'warning' | 'error';
      title: string;
      message: string;
    }
  /** `title`: its new title, if the problem's own is no longer true. */
  | { state: 'over'; kind: NotificationKind; subject: string; message: string | null; title?: string };

/** Starts the subject of a notice about a host that stopped responding; its ID follows. */
export const SILENT_HOST = 'teepod:';

/** Whether a notice of kind `host_trouble` is about a host that stopped responding, not about a CVM whose host is drained. */
export const isOfSilentHost = (subject: string): boolean => subject.startsWith(SILENT_HOST);

interface Told {
  kind: string;
  severity: string;
  message: string;
  cvm_id: number | null;
  cvm_name: string | null;
  cvm_status: string | null;
  app_id: string | null;
  data: unknown;
}

const text = (data: unknown, key: string): string =>
  typeof data === 'object' && data !== null && Object.hasOwn(data, key)
    ? String(ownValue(data as Record<string, unknown>, key))
    : '';

/** "load_balancer" to "Load balancer" */
const capitalized = (kind: string): string =>
  kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ');

/**
 * Events that cause notices, besides operations that succeed or fail. The trigger `events_feed` must let each through:
 * a new one needs a migration.
 */
export const NOTICED_EVENTS = [
  'cvm.lost',
  'cvm.given_up',
  'cvm.found',
  'cvm.recovered',
  'cvm.disk_low',
  'cvm.disk_recovered',
  'cvm.drain_notice',
  'cvm.drain_stopped',
  'cvm.drain_moved',
  'cvm.drain_cancelled',
  'cvm.maintenance_planned',
  'cvm.maintenance_began',
  'cvm.maintenance_over',
  'cvm.schedule_warning',
  'cvm.bin_gave_way',
  'domain.verified',
  'domain.broken',
  'host.unreachable',
  'host.recovered',
  'webhook.failed',
  'webhook.disabled',
  'webhook.recovered',
  'cvm.listed',
  'budget.alert',
  'budget.used_up',
  'budget.over',
  'order.paid',
  'order.started',
  'order.ending',
  'order.renewed',
  'order.renewal_failed',
  'order.ended',
  'order.cancelled',
  'order.expired',
] as const;

/** Returns the notices an event causes; most cause none. */
export function noticesOf(event: Told): Notice[] {
  const [what = '', how = ''] = event.kind.split('.');
  const name = event.cvm_name ?? 'A CVM';
  const about = event.cvm_id === null ? `app:${event.app_id ?? 'none'}` : `cvm:${event.cvm_id}`;
  const { message } = event;
  const severity = event.severity === 'warning' ? 'warning' : 'error';
  // Makes a case outside the list a compile error.
  switch (event.kind as (typeof NOTICED_EVENTS)[number]) {
    case 'cvm.lost': {
      const title = text(event.data, 'since') === '' ? `${name} is down` : `${name} is lost`;
      return [{ state: 'open', kind: 'cvm_down', subject: about, severity, title, message }];
    }
    case 'cvm.given_up': {
      // Comes before the start that follows, which would report that it runs again, as if its data were back.
      const where = text(event.data, 'host');
      const ends = `Given up: ${name} starts on ${where} with an empty disk`;
      return [{ state: 'over', kind: 'cvm_down', subject: about, message: ends }];
    }
    case 'cvm.found':
      return [{ state: 'over', kind: 'cvm_down', subject: about, message: `The host lists ${name} again` }];
    case 'cvm.recovered':
      return [{ state: 'over', kind: 'cvm_down', subject: about, message: `${name} is running again` }];
    case 'cvm.disk_low':
      return [
        {
          state: 'open',
          kind: 'disk_low',
          subject: about,
          severity,
          title: `${name} is running out of disk`,
          message,
        },
      ];
    case 'cvm.disk_recovered':
      // One notice is about all of its disks.
      if (Number(text(event.data, 'disks_still_low')) > 0) return [];
      return [
        { state: 'over', kind: 'disk_low', subject: about, message: `${name} has free disk space again` },
      ];
    case 'cvm.drain_notice':
    case 'cvm.drain_stopped':
    case 'cvm.drain_moved':
    case 'cvm.drain_cancelled':
    case 'cvm.maintenance_planned':
    case 'cvm.maintenance_began':
    case 'cvm.maintenance_over':
      return [ofHost(event.kind, about, name, message)];
    case 'cvm.schedule_warning': {
      const done = text(event.data, 'what') === 'delete' ? 'deleted' : 'stopped';
      const title = `${name} will be ${done} soon`;
      return [{ state: 'open', kind: 'cvm_schedule', subject: about, severity: 'warning', title, message }];
    }
    case 'cvm.bin_gave_way': {
      const title = `${name} was destroyed before its recycle bin period ended`;
      return [{ state: 'open', kind: 'cvm_schedule', subject: about, severity: 'warning', title, message }];
    }
    case 'domain.verified':
    case 'domain.broken': {
      const domain = text(event.data, 'domain');
      const subject = `domain:${text(event.data, 'domain_id')}`;
      if (how === 'verified') return [{ state: 'over', kind: 'domain_trouble', subject, message }];
      const title = `${domain} doesn’t route to the app`;
      return [{ state: 'open', kind: 'domain_trouble', subject, severity: 'error', title, message }];
    }
    case 'host.unreachable':
    case 'host.recovered': {
      const host = text(event.data, 'teepod');
      const subject = `${SILENT_HOST}${text(event.data, 'teepod_id')}`;
      return [
        how === 'recovered'
          ? { state: 'over', kind: 'host_trouble', subject, message }
          : {
              state: 'open',
              kind: 'host_trouble',
              subject,
              severity: 'error',
              title: `The host ${host} isn’t responding`,
              message,
            },
      ];
    }
    case 'webhook.failed':
    case 'webhook.disabled':
    case 'webhook.recovered': {
      const subject = `webhook:${text(event.data, 'webhook_id')}`;
      if (how === 'recovered') return [{ state: 'over', kind: 'webhook_failed', subject, message }];
      const title = how === 'disabled' ? 'A webhook was turned off' : 'A webhook is failing';
      return [{ state: 'open', kind: 'webhook_failed', subject, severity: 'error', title, message }];
    }
    case 'cvm.listed': {
      // A member's own decision notifies nobody.
      const refused = text(event.data, 'is_refused');
      const app = text(event.data, 'app_name');
      const subject = `listing:app:${event.app_id ?? 'none'}`;
      if (refused === '') return [];
      if (refused === 'false') return [{ state: 'over', kind: 'listing', subject, message }];
      const title = `The operators removed ${app} from the explorer`;
      return [{ state: 'open', kind: 'listing', subject, severity: 'warning', title, message }];
    }
    case 'budget.alert':
    case 'budget.used_up':
    case 'budget.over': {
      const subject = `budget:${text(event.data, 'budget_id')}`;
      if (how === 'over') return [{ state: 'over', kind: 'budget', subject, message }];
      return [
        { state: 'open', kind: 'budget', subject, severity, title: text(event.data, 'title'), message },
      ];
    }
    case 'order.paid':
    case 'order.started':
    case 'order.ending':
    case 'order.renewed':
    case 'order.renewal_failed':
    case 'order.ended':
    case 'order.cancelled':
    case 'order.expired': {
      // Each one is separate: a later one doesn't replace it.
      const why = text(event.data, 'why');
      const subject = `${event.kind}:${text(event.data, 'order_id')}:${text(event.data, 'term')}${why === '' ? '' : `:${why}`}`;
      return [
        {
          state: 'open',
          kind: 'order',
          subject,
          severity: event.severity === 'info' ? 'info' : severity,
          title: text(event.data, 'title'),
          message,
        },
      ];
    }
    default:
      if (how === 'failed') {
        const headline = isOperationType(what)
          ? endWords(what, 'failed', text(event.data, 'restores') === 'true')
          : `${capitalized(what)} failed`;
        return [
          {
            state: 'open',
            kind: 'operation_failed',
            subject: about,
            severity: 'error',
            title: `${headline}: ${name}`,
            // The title has the headline.
            message: message.startsWith(`${headline}: `) ? message.slice(headline.length + 2) : message,
          },
        ];
      }
      if (how === 'succeeded') return over(what, about, event);
      return [];
  }
}

/** Notices about a CVM's host: one row per CVM, regardless of the messages. */
function ofHost(kind: string, about: string, name: string, message: string): Notice {
  const [, what = ''] = kind.split('.');
  const subject = `${what.split('_')[0]}:${about}`;
  if (what === 'drain_cancelled') {
    const title = `${name} won’t be stopped`;
    return { state: 'over', kind: 'host_trouble', subject, title, message: 'Its host stays in service' };
  }
  if (what === 'maintenance_over') return { state: 'over', kind: 'host_trouble', subject, message };
  const title = ownValue(
    {
      drain_notice: `${name} will be stopped`,
      drain_stopped: `${name} was stopped`,
      drain_moved: `${name} was moved to another host`,
      maintenance_planned: `Maintenance is scheduled for ${name}’s host`,
      maintenance_began: `${name}’s host is under maintenance`,
    },
    what,
  );
  return {
    state: 'open',
    kind: 'host_trouble',
    subject,
    severity: 'warning',
    title: title ?? name,
    message,
  };
}

/** A later success resolves the failure. A CVM that was started or deleted is not down. */
function over(operation: string, subject: string, { cvm_name, cvm_status }: Told): Notice[] {
  const gone = operation === 'delete';
  const up = ['start', 'restart', 'update', 'resize', 'deploy', 'move'].includes(operation);
  // An update or resize leaves a stopped CVM stopped.
  const ends = up && cvm_status === 'running' ? `${cvm_name ?? 'A CVM'} is running again` : null;
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
      ? [{ state: 'over', kind: 'cvm_down', subject, message: ends } as const]
      : []),
    ...(gone || operation === 'stop' || operation === 'shutdown'
      ? [{ state: 'over', kind: 'cvm_schedule', subject, message: null } as const]
      : []),
    ...(gone ? [{ state: 'over', kind: 'disk_low', subject, message: null } as const] : []),
  ];
}
