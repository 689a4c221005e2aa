import { adminAnnouncements, lockAnnouncement } from '../../../db/announcements/adminAnnouncements';
import { resolveNotified } from '../../../db/announcements/announcements';
import { adminOne } from '../../../db/core/adminList';
import type { AnnouncementRow, AnnouncementState } from '../../../db/announcements/announcementsTable';
import { adminAnnouncementOut } from '../../../domain/announcements/announcementResponse';
import type { Context, Write } from '../../types';
import { nextVersion } from '../../core/admin/change';
import { missing } from '../../core/admin/resource';
import { announcements } from '../../core/admin/resourcesContent';

type Locked = AnnouncementRow & { state: AnnouncementState };

/** Runs one transition of an announcement. `step` refuses it or returns what to write. */
export const moveAnnouncement = (
  ctx: Context,
  id: number,
  action: 'publish' | 'end',
  step: (
    row: Locked,
    trx: Write['trx'],
  ) => Promise<Partial<Pick<AnnouncementRow, 'published_at' | 'ended_at'>>>,
) =>
  ctx.write(async ({ trx, audit }) => {
    const before = await lockAnnouncement(trx, id);
    if (!before) throw missing(announcements, id);
    const change = await step(before, trx);
    await trx
      .updateTable('announcements')
      .set({ ...change, updated_at: nextVersion(before) })
      .where('id', '=', id)
      .execute();
    const row = await adminOne(trx, adminAnnouncements, id);
    if (!row) throw missing(announcements, id);
    // Pages refresh when this transaction commits, without waiting for a worker.
    await trx.updateTable('announcements').set({ told_state: row.state }).where('id', '=', id).execute();
    if (row.state === 'ended') await resolveNotified(trx, [row]);
    await audit({
      action: `announcement.${action}`,
      target_kind: 'announcement',
      target_id: String(id),
      before: { state: before.state },
      after: { state: row.state, audience: row.audience },
    });
    return { status: 200, body: adminAnnouncementOut(row) } as const;
  });
