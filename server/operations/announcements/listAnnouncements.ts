import { announcementsFor } from '../../db/announcements/announcements';
import { announcementOut } from '../../domain/announcements/announcementResponse';
import type { Handler } from '../types';
import { readerOf } from './reader';

export const listAnnouncements: Handler<'listAnnouncements'> = async ({ ctx }) => ({
  status: 200,
  body: (await announcementsFor(ctx.db, readerOf(ctx))).map(announcementOut),
});
