import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { announcements } from '../../core/admin/resourcesContent';

export const getAdminAnnouncement: Handler<'getAdminAnnouncement'> = readOf(announcements);
