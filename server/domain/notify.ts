import type { NotificationKind } from '../../generated/api/types.gen';
import type { TeamRole } from './caller';

export type { NotificationKind } from '../../generated/api/types.gen';

/** A person gets at most one mail of a kind in this time; what happens in it stands in that one. */
export const GATHER_SECONDS = 5 * 60;

/** And no second one of the same trouble in this time, however often it shows itself. */
export const COOL_DOWN_SECONDS = 60 * 60;

/** Things named in one mail; the rest is counted. */
export const MOST_IN_A_MAIL = 20;

/** How long they are kept, and how many for one person. */
export const KEPT_DAYS = 90;
export const KEPT_OF_ONE = 500;

export interface Preference {
  console: boolean;
  mail: boolean;
}

const EVERYBODY: readonly TeamRole[] = ['viewer', 'member', 'billing', 'admin', 'owner'];
const WHO_DEPLOYS: readonly TeamRole[] = ['member', 'admin', 'owner'];
const WHO_MANAGES: readonly TeamRole[] = ['admin', 'owner'];

/** Whom a kind concerns at all, and who gets mail of it unless they say otherwise. */
export const KINDS: Readonly<
  Record<NotificationKind, { roles: readonly TeamRole[]; mail: readonly TeamRole[]; tellsRecovery: boolean }>
> = {
  operation_failed: { roles: EVERYBODY, mail: WHO_DEPLOYS, tellsRecovery: false },
  cvm_down: { roles: EVERYBODY, mail: WHO_DEPLOYS, tellsRecovery: true },
  host_trouble: { roles: EVERYBODY, mail: WHO_DEPLOYS, tellsRecovery: true },
  disk_low: { roles: EVERYBODY, mail: WHO_DEPLOYS, tellsRecovery: true },
  token_expiring: { roles: WHO_DEPLOYS, mail: WHO_DEPLOYS, tellsRecovery: false },
  webhook_failed: { roles: WHO_MANAGES, mail: WHO_MANAGES, tellsRecovery: true },
  cvm_schedule: { roles: EVERYBODY, mail: WHO_DEPLOYS, tellsRecovery: false },
  domain_trouble: { roles: EVERYBODY, mail: WHO_DEPLOYS, tellsRecovery: true },
  announcement: { roles: EVERYBODY, mail: EVERYBODY, tellsRecovery: false },
};

export const NOTIFICATION_KINDS = Object.keys(KINDS) as NotificationKind[];

/** What somebody in that role is told without having chosen; null when the kind does not concern them. */
export function usualPreference(kind: NotificationKind, role: TeamRole): Preference | null {
  const { roles, mail } = KINDS[kind];
  return roles.includes(role) ? { console: true, mail: mail.includes(role) } : null;
}

/** A trouble shows itself, or is over. */
export type Notice =
  | {
      state: 'open';
      kind: NotificationKind;
      subject: string;
      severity: 'warning' | 'error';
      title: string;
      message: string;
    }
  | { state: 'over'; kind: NotificationKind; subject: string; message: string | null };

interface Told {
  kind: string;
  severity: string;
  message: string;
  cvm_id: number | null;
  cvm_name: string | null;
  app_id: string | null;
  data: unknown;
}

const text = (data: unknown, key: string): string =>
  typeof data === 'object' && data !== null && key in data
    ? String((data as Record<string, unknown>)[key])
    : '';

/** What an event of the team is to people; most are nothing. */
export function noticesOf(event: Told): Notice[] {
  const [what = '', how = ''] = event.kind.split('.');
  const name = event.cvm_name ?? 'A CVM';
  const about = event.cvm_id === null ? `app:${event.app_id ?? 'none'}` : `cvm:${event.cvm_id}`;
  const { message } = event;
  const severity = event.severity === 'warning' ? 'warning' : 'error';
  switch (event.kind) {
    case 'cvm.lost':
      return [
        { state: 'open', kind: 'cvm_down', subject: about, severity, title: `${name} is down`, message },
      ];
    case 'cvm.recovered':
      return [{ state: 'over', kind: 'cvm_down', subject: about, message: `${name} runs again` }];
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
      return [{ state: 'over', kind: 'disk_low', subject: about, message: `${name} has room again` }];
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
    case 'domain.verified':
    case 'domain.broken': {
      const domain = text(event.data, 'domain');
      const subject = `domain:${text(event.data, 'domain_id')}`;
      if (how === 'verified') return [{ state: 'over', kind: 'domain_trouble', subject, message }];
      const title = `${domain} does not lead to the app`;
      return [{ state: 'open', kind: 'domain_trouble', subject, severity: 'error', title, message }];
    }
    case 'host.unreachable':
    case 'host.recovered': {
      const host = text(event.data, 'teepod');
      const subject = `teepod:${text(event.data, 'teepod_id')}`;
      return [
        how === 'recovered'
          ? { state: 'over', kind: 'host_trouble', subject, message }
          : {
              state: 'open',
              kind: 'host_trouble',
              subject,
              severity: 'error',
              title: `The host ${host} does not answer`,
              message,
            },
      ];
    }
    case 'webhook.failed':
    case 'webhook.disabled':
    case 'webhook.recovered': {
      const subject = `webhook:${text(event.data, 'webhook_id')}`;
      if (how === 'recovered') return [{ state: 'over', kind: 'webhook_failed', subject, message }];
      const title = how === 'disabled' ? 'A webhook was switched off' : 'A webhook fails';
      return [{ state: 'open', kind: 'webhook_failed', subject, severity: 'error', title, message }];
    }
    default:
      if (how === 'failed')
        return [
          {
            state: 'open',
            kind: 'operation_failed',
            subject: about,
            severity: 'error',
            title: `${name}: ${what.replaceAll('_', ' ')} failed`,
            message,
          },
        ];
      if (how === 'succeeded') return over(what, about, name);
      return [];
  }
}

/** What is done to the host of a CVM; one row of each CVM, whatever is said of it in time. */
function ofHost(kind: string, about: string, name: string, message: string): Notice {
  const [, what = ''] = kind.split('.');
  const subject = `${what.split('_')[0]}:${about}`;
  if (what === 'drain_cancelled' || what === 'maintenance_over')
    return { state: 'over', kind: 'host_trouble', subject, message };
  const title = {
    drain_notice: `${name} will be stopped`,
    drain_stopped: `${name} was stopped`,
    drain_moved: `${name} was moved to another host`,
    maintenance_planned: `The host of ${name} will be in maintenance`,
    maintenance_began: `The host of ${name} is in maintenance`,
  }[what];
  return {
    state: 'open',
    kind: 'host_trouble',
    subject,
    severity: 'warning',
    title: title ?? name,
    message,
  };
}

/** Whatever succeeds after it makes a failure history. A CVM that was started, or is gone, is not down. */
function over(operation: string, subject: string, name: string): Notice[] {
  const gone = operation === 'delete';
  const up = ['start', 'restart', 'update', 'resize', 'deploy'].includes(operation);
  return [
    { state: 'over', kind: 'operation_failed', subject, message: null },
    ...(gone || (up && operation !== 'deploy')
      ? [{ state: 'over', kind: 'host_trouble', subject: `drain:${subject}`, message: null } as const]
      : []),
    ...(gone || up || operation === 'stop' || operation === 'shutdown'
      ? [{ state: 'over', kind: 'cvm_down', subject, message: up ? `${name} runs again` : null } as const]
      : []),
    ...(gone || operation === 'stop' || operation === 'shutdown'
      ? [{ state: 'over', kind: 'cvm_schedule', subject, message: null } as const]
      : []),
    ...(gone ? [{ state: 'over', kind: 'disk_low', subject, message: null } as const] : []),
  ];
}
