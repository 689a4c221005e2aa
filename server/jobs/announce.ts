import { announcementSubject, nextToNotify, noteNotified, noteStates, toNotify } from '../db/announcements';
import { withTransaction, type Db, type Tx } from '../db/client';
import { openNotices, recipientsOf } from '../db/notifications';
import type { AnnouncementRow } from '../db/schemaAnnouncements';
import { plainAnnouncement } from '../../console/lib/announcementText';

/** People notified in one transaction. */
const BATCH = 200;

/**
 * What follows from the clock: pages learn that an announcement went live or ended, and people are notified of those
 * that say so. How far that went is kept with the notifications, so whoever goes on tells nobody twice.
 */
export async function announce(db: Db, now: () => Date = () => new Date()): Promise<void> {
  await noteStates(db);
  while (await withTransaction(db, (trx) => notifyNext(trx, now())));
}

/** @returns whether there may be more to do */
async function notifyNext(trx: Tx, at: Date): Promise<boolean> {
  const announcement = await nextToNotify(trx);
  if (!announcement) return false;
  const people = await toNotify(trx, announcement, BATCH);
  const byTeam = new Map<number, number[]>();
  for (const { user_id, team_id } of people) byTeam.set(team_id, [...(byTeam.get(team_id) ?? []), user_id]);
  for (const [team_id, user_ids] of byTeam) {
    const only = user_ids.length === 1 ? user_ids[0] : null;
    const recipients = await recipientsOf(trx, team_id, 'announcement', only ?? null);
    const wanted = recipients.filter(({ user_id }) => user_ids.includes(user_id));
    await openNotices(trx, noticeOf(announcement), { team_id, cvm_id: null, at }, wanted);
  }
  await noteNotified(trx, announcement.id, people.length < BATCH ? null : (people.at(-1)?.user_id ?? null));
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
