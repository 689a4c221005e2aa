import { adminAnnouncements } from '../../../db/adminAnnouncements';
import { adminOne } from '../../../db/adminList';
import { publicId } from '../../../domain/publicId';
import { adminAnnouncementOut } from '../../../domain/wire/adminContent';
import { personOf } from '../../shared/caller';
import type { Handler } from '../../types';
import { etagOf, keysOf } from '../change';
import { missing } from '../resource';
import { announcements } from '../resourcesContent';
import { checkAudience, checkTimes, columnsOf } from './announcement';

export const createAdminAnnouncement: Handler<'createAdminAnnouncement'> = async ({ body, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const made = await trx
      .insertInto('announcements')
      .values({
        ...columnsOf(body),
        public_id: publicId('ann'),
        title: body.title,
        text: body.text,
        created_by: personOf(ctx).id,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    checkTimes(made);
    await checkAudience(trx, made.id, made, body.workspaces);
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
