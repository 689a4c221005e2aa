import { cutWhole } from '../../../../console/lib/texts/cutWhole';
import { KINDS, type NotificationKind } from '../notify';
import { counted } from '../../../../console/lib/texts/count';
import { utcMinute } from '../../core/dates';
import { named, oneLine, unlinked } from './plain';
import { hostOf, pages } from './site';
import type { Content, MailTemplates, NotificationItem, Site } from './types';

const MAX_LENGTH = 500;

/** "3 operations failed" */
const MANY: Record<NotificationKind, (n: number) => string> = {
  operation_failed: (n) => `${n} operations failed`,
  cvm_down: (n) => `${n} CVMs went down`,
  host_trouble: (n) => `${n} hosts stopped responding`,
  disk_low: (n) => `${n} CVMs are running out of disk`,
  token_expiring: (n) => `${n} API tokens expire soon`,
  webhook_failed: (n) => `${n} webhooks are failing`,
  cvm_schedule: (n) => `${n} CVMs will be stopped or deleted soon`,
  domain_trouble: (n) => `${n} domains don’t route to their apps`,
  template_version: (n) => `${n} templates have a newer version`,
  debt: (n) => `${n} payments are due`,
  invoice: (n) => `${n} invoices`,
  payment: (n) => `${n} notices about payments and credits`,
  budget: (n) => `${n} budget alerts`,
  order: (n) => `${n} notices about reservations`,
  announcement: (n) => `${n} announcements`,
  listing: (n) => `${n} apps were removed from the explorer`,
  retention: (n) => `${n} notices about old data`,
  finance_action: (n) => `${n} notices about finance actions`,
  abuse_report: (n) => `${n} apps were reported in the explorer`,
};

const WHAT: Record<NotificationKind, string> = {
  operation_failed: 'failed operations',
  cvm_down: 'CVMs going down',
  host_trouble: 'outages, drains and maintenance of hosts',
  disk_low: 'CVMs running out of disk',
  token_expiring: 'expiring API tokens',
  webhook_failed: 'failing webhooks',
  cvm_schedule: 'scheduled CVM stops and deletions',
  domain_trouble: 'domains that don’t route to their apps',
  template_version: 'newer versions of templates',
  debt: 'payments that are due',
  invoice: 'invoices',
  payment: 'payments and credits',
  budget: 'budgets',
  order: 'reservations',
  announcement: 'critical announcements',
  listing: 'apps that operators remove from the explorer',
  retention: 'old data that will be deleted',
  finance_action: 'finance actions',
  abuse_report: 'reports about published apps',
};

/** Puts text from hosts and guests on one line, without anything that an email client would turn into a link. */
const plainLine = (text: string): string => {
  const plain = oneLine(text);
  return unlinked(plain.length > MAX_LENGTH ? `${cutWhole(plain, MAX_LENGTH - 1)}…` : plain);
};

/** @param isStaffs whether it concerns the whole installation, not the team in which it is listed */
function sentence(item: NotificationItem, isStaffs: boolean): string {
  const { title, message, team_name, at, count, resolved_at } = item;
  const text = plainLine(message).replace(/[.\s]+$/, '');
  return [
    `${plainLine(title)}${isStaffs ? '' : `, in ${named(team_name)}`}, ${utcMinute(at)}.`,
    text === plainLine(title) || text === '' ? '' : `${text}.`,
    count > 1 ? `It happened ${count} times.` : '',
    resolved_at === null ? '' : `Resolved ${utcMinute(resolved_at)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

function link(items: readonly NotificationItem[], kind: NotificationKind, site: Site): Content['action'] {
  const [first] = items;
  if (!first) return undefined;
  const slug = first.team_slug;
  if (kind === 'finance_action') return { label: 'View finance actions', url: pages.financeActions(site) };
  if (kind === 'abuse_report') return { label: 'View abuse reports', url: pages.abuseReports(site) };
  if (kind === 'invoice') return { label: 'View invoices', url: pages.invoices(site, slug) };
  if (kind === 'payment') return { label: 'View billing', url: pages.billing(site, slug) };
  if (kind === 'token_expiring') return { label: 'View tokens', url: pages.tokens(site, slug) };
  if (kind === 'webhook_failed')
    return { label: 'View webhooks', url: `${pages.members(site, slug)}?tab=webhooks` };
  if (kind === 'retention') return { label: 'Export data', url: `${pages.members(site, slug)}?tab=settings` };
  if (items.length === 1 && first.vm_uuid !== null)
    return { label: 'View CVM', url: pages.cvm(site, slug, first.vm_uuid) };
  return { label: 'Open team', url: pages.team(site, slug) };
}

/**
 * Counts hosts, which may have CVMs of several teams, if all notices are about outages. Otherwise the newest
 * notice is the title.
 */
function hostsOf(items: readonly NotificationItem[], total: number): string {
  const silent = new Set(items.map(({ silent_host }) => silent_host));
  const newest = items.at(-1);
  if (newest === undefined) return MANY.host_trouble(total);
  if (total === items.length && !silent.has(undefined))
    return silent.size === 1 ? plainLine(newest.title) : MANY.host_trouble(silent.size);
  return `${plainLine(newest.title)}, and ${counted(total - 1, ['other notice', 'other notices'])}`;
}

/** The newest notice that asks the reader to act takes precedence over the count, which would hide it. */
function whatOf(kind: NotificationKind, items: readonly NotificationItem[], total: number): string {
  if (total === 1 && items[0]) return plainLine(items[0].title);
  if (kind === 'host_trouble') return hostsOf(items, total);
  const urgent = items.findLast((item) => item.urgent === true && item.resolved_at === null);
  return urgent
    ? `${plainLine(urgent.title)}, and ${counted(total - 1, ['other notice', 'other notices'])}`
    : MANY[kind](total);
}

/** One email per kind of notification, covering everything that happened within a few minutes. */
export const notificationMails: {
  notification_digest: (data: MailTemplates['notification_digest'], site: Site) => Content;
} = {
  notification_digest: ({ kind, items, more, unsubscribe_url }, site) => {
    const total = items.length + more;
    const over = items.every(({ resolved_at }) => resolved_at !== null) && more === 0;
    const what = whatOf(kind, items, total);
    const isStaffs = KINDS[kind].staff !== undefined;
    const action = link(items, kind, site);
    return {
      subject: over ? `Resolved: ${what}` : what,
      heading: over ? `Resolved: ${what}` : what,
      body: items.map((item) => sentence(item, isStaffs)),
      ...(action ? { action } : {}),
      after: [
        ...(more === 0 ? [] : [`And ${more} more in the console.`]),
        `Change quiet hours and email notifications at ${pages.notifications(site)}.`,
      ],
      because: `You’re receiving this because you are ${isStaffs ? 'an administrator' : 'in a team'} on ${hostOf(site)} and receive notifications about ${WHAT[kind]}.`,
      unsubscribe_url,
    };
  },
};
