import { announcementsFor } from '../../db/announcements';
import { announcementOut } from '../../domain/wire/adminContent';
import { personOf } from '../shared/caller';
import type { Handler } from '../types';

export const listAnnouncements: Handler<'listAnnouncements'> = async ({ ctx }) => ({
  status: 200,
  body: (await announcementsFor(ctx.db, personOf(ctx).id)).map(announcementOut),
});
