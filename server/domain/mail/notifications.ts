import type { NotificationKind } from '../notify';
import { dateTime, named, oneLine, unlinked } from './plain';
import { hostOf, pages } from './site';
import type { Content, MailTemplates, NotificationItem, Site } from './types';

const LONGEST = 500;

/** "3 operations failed" */
const MANY: Record<NotificationKind, (n: number) => string> = {
  operation_failed: (n) => `${n} operations failed`,
  cvm_down: (n) => `${n} CVMs went down`,
  host_trouble: (n) => `${n} hosts stopped answering`,
  disk_low: (n) => `${n} CVMs are running out of disk`,
  token_expiring: (n) => `${n} API tokens expire soon`,
  webhook_failed: (n) => `${n} webhooks fail`,
  cvm_schedule: (n) => `${n} CVMs are stopped or deleted soon`,
  domain_trouble: (n) => `${n} domains do not lead to their apps`,
  announcement: (n) => `${n} announcements`,
};

const WHAT: Record<NotificationKind, string> = {
  operation_failed: 'failed operations',
  cvm_down: 'CVMs that go down',
  host_trouble: 'hosts that do not answer',
  disk_low: 'CVMs that run out of disk',
  token_expiring: 'API tokens that expire',
  webhook_failed: 'webhooks that fail',
  cvm_schedule: 'CVMs that are stopped or deleted by a schedule',
  domain_trouble: 'domains that do not lead to their apps',
  announcement: 'critical announcements',
};

/** Texts of hosts and guests: in one line, and no link a mail program could make. */
const told = (text: string): string => {
  const plain = oneLine(text);
  return unlinked(plain.length > LONGEST ? `${plain.slice(0, LONGEST - 1)}…` : plain);
};

function sentence(item: NotificationItem): string {
  const { title, message, team_name, at, count, resolved_at } = item;
  const text = told(message).replace(/[.\s]+$/, '');
  return [
    `${told(title)}, in ${named(team_name)}, ${dateTime(at)}.`,
    text === told(title) || text === '' ? '' : `${text}.`,
    count > 1 ? `It happened ${count} times.` : '',
    resolved_at === null ? '' : `It is over since ${dateTime(resolved_at)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

function link(items: readonly NotificationItem[], kind: NotificationKind, site: Site): Content['action'] {
  const [first] = items;
  if (!first) return undefined;
  const slug = first.team_slug;
  if (kind === 'token_expiring') return { label: 'See the tokens', url: pages.tokens(site, slug) };
  if (kind === 'webhook_failed')
    return { label: 'See the webhooks', url: `${pages.members(site, slug)}?tab=webhooks` };
  if (items.length === 1 && first.vm_uuid !== null)
    return { label: 'See the CVM', url: pages.cvm(site, slug, first.vm_uuid) };
  return { label: 'Open the team', url: pages.team(site, slug) };
}

/** What a person is told of what goes on: all of a kind that happened within some minutes, in one mail. */
export const notificationMails: {
  notification_digest: (data: MailTemplates['notification_digest'], site: Site) => Content;
} = {
  notification_digest: ({ kind, items, more, unsubscribe_url }, site) => {
    const total = items.length + more;
    const over = items.every(({ resolved_at }) => resolved_at !== null) && more === 0;
    const what = total === 1 && items[0] ? told(items[0].title) : MANY[kind](total);
    const action = link(items, kind, site);
    return {
      subject: over ? `Over: ${what}` : what,
      heading: over ? `Over: ${what}` : what,
      body: items.map(sentence),
      ...(action ? { action } : {}),
      after: [
        ...(more === 0 ? [] : [`And ${more} more, which you find in the console.`]),
        `Quiet hours, and what you get mail of, are set at ${pages.notifications(site)}.`,
      ],
      because: `You get this because you are in a team on ${hostOf(site)} and are told of ${WHAT[kind]}.`,
      unsubscribe_url,
    };
  },
};
