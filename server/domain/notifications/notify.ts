import type { NotificationKind } from '../../../generated/api/types.gen';
import type { Permission } from '../../../generated/api/permissions.gen';
import { PAYING_ROLES, type TeamRole } from '../core/caller';
import { permissionsOfStaff } from '../teams/permissions';

export type { NotificationKind } from '../../../generated/api/types.gen';

/** A user gets at most one email of a kind in this time, covering everything within it. */
export const GATHER_SECONDS = 5 * 60;

/** No second email about the same problem in this time, even if it recurs. */
export const COOL_DOWN_SECONDS = 60 * 60;

/** Items listed in one email; the rest is counted. */
export const MAX_PER_MAIL = 20;

export interface Preference {
  console: boolean;
  mail: boolean;
}

const ALL_ROLES: readonly TeamRole[] = ['viewer', 'member', 'billing', 'admin', 'owner'];
const DEPLOYING_ROLES: readonly TeamRole[] = ['member', 'admin', 'owner'];
const MANAGING_ROLES: readonly TeamRole[] = ['admin', 'owner'];

interface Kind {
  /** Which roles it concerns, and who gets mail about it by default. */
  roles: readonly TeamRole[];
  mail: readonly TeamRole[];
  notifiesRecovery: boolean;
  /** It concerns staff with this permission instead, regardless of their team roles. */
  staff?: Permission;
}

export const KINDS: Readonly<Record<NotificationKind, Kind>> = {
  operation_failed: { roles: ALL_ROLES, mail: DEPLOYING_ROLES, notifiesRecovery: false },
  cvm_down: { roles: ALL_ROLES, mail: DEPLOYING_ROLES, notifiesRecovery: true },
  host_trouble: { roles: ALL_ROLES, mail: DEPLOYING_ROLES, notifiesRecovery: true },
  disk_low: { roles: ALL_ROLES, mail: DEPLOYING_ROLES, notifiesRecovery: true },
  token_expiring: { roles: DEPLOYING_ROLES, mail: DEPLOYING_ROLES, notifiesRecovery: false },
  webhook_failed: { roles: MANAGING_ROLES, mail: MANAGING_ROLES, notifiesRecovery: true },
  cvm_schedule: { roles: ALL_ROLES, mail: DEPLOYING_ROLES, notifiesRecovery: false },
  domain_trouble: { roles: ALL_ROLES, mail: DEPLOYING_ROLES, notifiesRecovery: true },
  template_version: { roles: DEPLOYING_ROLES, mail: [], notifiesRecovery: false },
  debt: { roles: PAYING_ROLES, mail: PAYING_ROLES, notifiesRecovery: true },
  invoice: { roles: PAYING_ROLES, mail: PAYING_ROLES, notifiesRecovery: true },
  payment: { roles: PAYING_ROLES, mail: PAYING_ROLES, notifiesRecovery: false },
  budget: { roles: PAYING_ROLES, mail: PAYING_ROLES, notifiesRecovery: false },
  order: { roles: PAYING_ROLES, mail: PAYING_ROLES, notifiesRecovery: false },
  announcement: { roles: ALL_ROLES, mail: ALL_ROLES, notifiesRecovery: false },
  listing: { roles: ALL_ROLES, mail: MANAGING_ROLES, notifiesRecovery: true },
  retention: { roles: MANAGING_ROLES, mail: MANAGING_ROLES, notifiesRecovery: false },
  finance_action: { roles: [], mail: [], notifiesRecovery: false, staff: 'admin.billing.write' },
  abuse_report: { roles: [], mail: [], notifiesRecovery: false, staff: 'admin.abuse.write' },
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
