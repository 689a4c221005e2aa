import type { Notification, NotificationKind } from '../../../generated/api/types.gen';
import {
  adminPath,
  appPath,
  billingPath,
  cvmPath,
  costPath,
  ordersPath,
  debtPath,
  invoicesPath,
  membersPath,
  teamPath,
  tokensPath,
} from '../../lib/paths';
import { KIND_NAMES } from '../../lib/texts/notificationKinds';

const HELP: Record<NotificationKind, string> = {
  operation_failed: 'A deployment, update or other operation failed.',
  cvm_down: 'A CVM stopped unexpectedly and couldn’t be restarted.',
  host_trouble:
    'A host that runs the team’s CVMs is unreachable for two minutes, comes back, is drained or goes into maintenance.',
  disk_low: 'A CVM is running out of disk space.',
  token_expiring: 'One of your tokens expires in a week or in a day.',
  webhook_failed: 'A webhook’s receiver rejects events or doesn’t respond.',
  cvm_schedule: 'A CVM is scheduled to stop or be deleted within the hour.',
  domain_trouble: 'One of the team’s domains no longer points to its app.',
  template_version: 'A newer version of the template an app is based on is available.',
  debt: 'The balance is used up, and CVMs will stop.',
  invoice: 'An invoice is issued, overdue or paid.',
  payment:
    'A payment arrives, fails or is refunded, credit is granted, revoked or expires soon, the balance runs out soon, or the saved card expires.',
  budget: 'A budget has reached an alert threshold.',
  order: 'A reservation starts, ends soon, is renewed or has ended.',
  listing: 'The operators removed one of the team’s apps from public lists, or allowed it again.',
  retention: 'Old team data is about to be deleted and can still be exported.',
  finance_action: 'Another administrator requests approval, or one of your requests is decided.',
  abuse_report: 'A visitor reports an app that is published in the explorer.',
  announcement: 'From the platform’s administrators.',
};

/** Returns the name and description of a notification kind. */
export const kindTexts = (kind: NotificationKind) => ({ name: KIND_NAMES[kind], help: HELP[kind] });

/** Kinds about the whole installation, not the team they are listed in. */
const ADMIN_KINDS: readonly NotificationKind[] = ['finance_action', 'abuse_report'];

export const isAdminKind = (kind: NotificationKind): boolean => ADMIN_KINDS.includes(kind);

/** Returns the page the notification is about. */
export function hrefOf({ kind, team, cvm, finance_action_id: action }: Notification): string {
  const slug = team.slug ?? '';
  if (kind === 'finance_action')
    return adminPath('finance-actions', ...(action === null ? [] : [String(action)]));
  if (kind === 'abuse_report') return adminPath('abuse-reports');
  if (kind === 'debt') return debtPath(slug);
  if (kind === 'invoice') return invoicesPath(slug);
  if (kind === 'payment') return billingPath(slug);
  if (kind === 'budget') return costPath(slug);
  if (kind === 'order') return ordersPath(slug);
  if (kind === 'token_expiring') return tokensPath(slug);
  if (kind === 'webhook_failed') return membersPath(slug, 'webhooks');
  if (kind === 'retention') return membersPath(slug, 'settings');
  if (kind === 'template_version' && cvm?.app_id) return appPath(slug, cvm.app_id);
  if (kind === 'listing' && cvm?.vm_uuid) return cvmPath(slug, cvm.vm_uuid, 'settings');
  if (kind === 'domain_trouble' && cvm?.vm_uuid) return cvmPath(slug, cvm.vm_uuid, 'network');
  if (cvm?.vm_uuid) return cvmPath(slug, cvm.vm_uuid, kind === 'disk_low' ? 'usage' : 'events');
  return teamPath(slug);
}
