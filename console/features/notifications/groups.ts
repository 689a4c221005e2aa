import type { Notification } from '../../../generated/api/types.gen';

export interface NotificationGroup {
  /** The newest. */
  lead: Notification;
  /** Older ones of the same kind and app in the same state. */
  rest: Notification[];
}

/**
 * Groups notifications by kind, team, app and whether they're resolved. Groups keep the order of their newest
 * entry. Announcements stay apart: each says something different.
 */
export function groupNotifications(rows: readonly Notification[]): NotificationGroup[] {
  const groups = new Map<string, NotificationGroup>();
  for (const row of rows) {
    const key = row.kind === 'announcement' ? row.id : keyOf(row);
    const group = groups.get(key);
    if (group) group.rest.push(row);
    else groups.set(key, { lead: row, rest: [] });
  }
  return [...groups.values()];
}

const keyOf = ({ kind, team, cvm, title, resolved_at }: Notification): string =>
  // Without a CVM, the title names what failed: a host, a webhook or a token.
  JSON.stringify([kind, team.slug, cvm ? (cvm.app_id ?? cvm.id) : title, resolved_at === null]);
