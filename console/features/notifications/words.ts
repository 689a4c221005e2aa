import type { Notification, NotificationKind } from '../../../generated/api/types.gen';
import { cvmPath, membersPath, teamPath, tokensPath } from '../../lib/paths';

/** What one can be told of. */
export const KINDS: Record<NotificationKind, { name: string; help: string }> = {
  operation_failed: {
    name: 'Failed operations',
    help: 'A deployment, update or other change did not go through.',
  },
  cvm_down: { name: 'CVMs that go down', help: 'One stopped by itself and could not be started again.' },
  host_trouble: {
    name: 'Hosts that do not answer',
    help: 'A machine that CVMs of the team are on is silent for two minutes, or back.',
  },
  disk_low: { name: 'Low disk', help: 'A CVM is running out of room.' },
  token_expiring: { name: 'Expiring API tokens', help: 'Of your own: a week and a day before.' },
  webhook_failed: { name: 'Failing webhooks', help: 'A receiver takes no events.' },
  cvm_schedule: {
    name: 'Scheduled stops',
    help: 'A CVM is stopped or deleted by its schedule within the hour.',
  },
  domain_trouble: { name: 'Broken domains', help: 'A domain of yours no longer leads to its app.' },
  announcement: { name: 'Critical announcements', help: 'Of the people who run this cloud.' },
};

/** Where the thing is that it tells of. */
export function hrefOf({ kind, team, cvm }: Notification): string {
  const slug = team.slug ?? '';
  if (kind === 'token_expiring') return tokensPath(slug);
  if (kind === 'webhook_failed') return membersPath(slug, 'webhooks');
  if (cvm?.vm_uuid) return cvmPath(slug, cvm.vm_uuid, kind === 'disk_low' ? 'usage' : 'events');
  return teamPath(slug);
}
