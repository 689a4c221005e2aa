import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { announcements } from '../../core/admin/resourcesContent';

export const listAdminAnnouncements: Handler<'listAdminAnnouncements'> = listOf(announcements);
