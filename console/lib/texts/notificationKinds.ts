import type { NotificationKind } from '../../../generated/api/types.gen';

/** Names of notification kinds, in the settings and everywhere else. */
export const KIND_NAMES: Readonly<Record<NotificationKind, string>> = {
  operation_failed: 'Failed operations',
  cvm_down: 'CVMs down',
  host_trouble: 'Host outages',
  disk_low: 'Low disk space',
  token_expiring: 'Expiring API tokens',
  webhook_failed: 'Failing webhooks',
  cvm_schedule: 'Scheduled stops',
  domain_trouble: 'Broken domains',
  template_version: 'Template updates',
  debt: 'Payments due',
  invoice: 'Invoices',
  payment: 'Payments and credits',
  budget: 'Budgets',
  order: 'Reservations',
  listing: 'Removal from the explorer',
  retention: 'Deletion of old data',
  finance_action: 'Finance actions',
  abuse_report: 'Abuse reports',
  announcement: 'Critical announcements',
};
