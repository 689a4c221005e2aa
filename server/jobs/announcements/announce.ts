import {
  announcementSubject,
  nextToNotify,
  noteNotified,
  noteStates,
  toNotify,
} from '../../db/announcements/announcements';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { openNotices, recipientsOf } from '../../db/notifications/notifications';
import type { AnnouncementRow } from '../../db/announcements/announcementsTable';
import { plainAnnouncement } from '../../../console/lib/announcementText';

/** Users notified per transaction. */
const BATCH = 200;

/**
 * Applies announcement changes driven by the clock: pages learn that an announcement went live or ended, and
 * users are notified if the announcement asks for it. Progress is stored with the notifications, so a process
 * that takes over notifies nobody twice.
 */
export async function announce(db: Db, now: () => Date = () => new Date()): Promise<void> {
  await noteStates(db);
  while (await withTransaction(db, (trx) => notifyNext(trx, now())));
}

/** @returns whether there may be more to do */
async function notifyNext(trx: Tx, at: Date): Promise<boolean> {
  const announcement = await nextToNotify(trx);
  if (!announcement) return false;
  const users = await toNotify(trx, announcement, BATCH);
  const byTeam = new Map<number, number[]>();
  for (const { user_id, team_id } of users) byTeam.set(team_id, [...(byTeam.get(team_id) ?? []), user_id]);
  for (const [team_id, user_ids] of byTeam) {
    const only = user_ids.length === 1 ? user_ids[0] : null;
    const recipients = await recipientsOf(trx, team_id, 'announcement', only ?? null);
    const wanted = recipients.filter(({ user_id }) => user_ids.includes(user_id));
    await openNotices(trx, noticeOf(announcement), { team_id, cvm_id: null, at }, wanted);
  }
  await noteNotified(trx, announcement.id, users.length < BATCH ? null : (users.at(-1)?.user_id ?? null));
  return true;
}

const noticeOf = (announcement: AnnouncementRow) =>
  ({
    state: 'open',
    kind: 'announcement',
    subject: announcementSubject(announcement),
    severity: 'error',
    title: announcement.title,
    message: plainAnnouncement(announcement.text),
  }) as const;
