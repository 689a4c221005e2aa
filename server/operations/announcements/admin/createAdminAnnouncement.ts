import { adminAnnouncements } from '../../../db/announcements/adminAnnouncements';
import { adminOne } from '../../../db/core/adminList';
import { publicId } from '../../../domain/core/publicId';
import { adminAnnouncementOut } from '../../../domain/announcements/announcementResponse';
import { userOf } from '../../core/caller';
import type { Handler } from '../../types';
import { etagOf, keysOf } from '../../core/admin/change';
import { missing } from '../../core/admin/resource';
import { announcements } from '../../core/admin/resourcesContent';
import { checkTarget, checkTimes, checkWords, checkWorkspaces, columnsOf } from './announcement';

const EMPTY = {
  audience: 'everybody',
  severity: 'info',
  notify: false,
  teepod_id: null,
  node_id: null,
  kms_id: null,
  os_image_id: null,
  starts_at: null,
  ends_at: null,
} as const;

export const createAdminAnnouncement: Handler<'createAdminAnnouncement'> = async ({ body, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const columns = columnsOf(body);
    const whole = { ...EMPTY, ...columns };
    checkWords(body);
    checkTimes(whole);
    await checkTarget(trx, whole);
    const made = await trx
      .insertInto('announcements')
      .values({
        ...columns,
        public_id: publicId('ann'),
        title: body.title,
        text: body.text,
        created_by: userOf(ctx).id,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await checkWorkspaces(trx, made.id, whole, body.workspaces);
    const row = await adminOne(trx, adminAnnouncements, made.id);
    if (!row) throw missing(announcements, made.id);
    await audit({
      action: 'announcement.create',
      target_kind: 'announcement',
      target_id: String(row.id),
      after: keysOf(adminAnnouncementOut(row), Object.keys(body)),
    });
    return {
      status: 201,
      headers: { ETag: etagOf(announcements.name, row.id, row.updated_at) },
      body: adminAnnouncementOut(row),
    } as const;
  });
