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

/** Names and descriptions of the notification kinds. */
export const KINDS: Record<NotificationKind, { name: string; help: string }> = {
  operation_failed: {
    name: 'Failed operations',
    help: 'A deployment, update or other operation failed.',
  },
  cvm_down: { name: 'CVMs down', help: 'A CVM stopped on its own and couldn’t be restarted.' },
  host_trouble: {
    name: 'Host outages',
    help: 'A host of the team’s CVMs has been unreachable for two minutes or is back, or is drained or in maintenance.',
  },
  disk_low: { name: 'Low disk space', help: 'A CVM is running out of disk space.' },
  token_expiring: { name: 'Expiring API tokens', help: 'One of your tokens expires in a week or in a day.' },
  webhook_failed: { name: 'Failing webhooks', help: 'A receiver doesn’t accept events.' },
  cvm_schedule: {
    name: 'Scheduled stops',
    help: 'A CVM’s schedule stops or deletes it within the hour.',
  },
  domain_trouble: { name: 'Broken domains', help: 'One of the team’s domains no longer points to its app.' },
  template_version: {
    name: 'Template updates',
    help: 'A newer version of the template that an app came from is available.',
  },
  debt: { name: 'Payments due', help: 'The balance is used up, and CVMs will stop.' },
  invoice: { name: 'Invoices', help: 'An invoice is issued, overdue or paid.' },
  payment: {
    name: 'Payments and credits',
    help: 'A payment arrives, fails or is refunded, credit is granted, revoked or expires soon, the balance runs out soon, or the saved card expires.',
  },
  budget: { name: 'Budgets', help: 'A budget has reached one of its percentages.' },
  order: { name: 'Reservations', help: 'A reservation starts, ends soon, is renewed or has ended.' },
  listing: {
    name: 'Removal from the explorer',
    help: 'The operators removed one of the team’s apps from public lists, or allow it again.',
  },
  finance_action: {
    name: 'Finance actions',
    help: 'Another administrator requests an approval, or one of your requests is decided.',
  },
  abuse_report: {
    name: 'Abuse reports',
    help: 'A visitor reports an app that is published in the explorer.',
  },
  announcement: { name: 'Critical announcements', help: 'From the platform’s administrators.' },
};

/** Kinds that concern the whole installation, not the team in which they are listed. */
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
  if (kind === 'template_version' && cvm?.app_id) return appPath(slug, cvm.app_id);
  if (kind === 'listing' && cvm?.vm_uuid) return cvmPath(slug, cvm.vm_uuid, 'settings');
  if (cvm?.vm_uuid) return cvmPath(slug, cvm.vm_uuid, kind === 'disk_low' ? 'usage' : 'events');
  return teamPath(slug);
}
