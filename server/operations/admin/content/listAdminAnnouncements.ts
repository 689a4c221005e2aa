import type { Handler } from '../../types';
import { listOf } from '../resource';
import { announcements } from '../resourcesContent';

export const listAdminAnnouncements: Handler<'listAdminAnnouncements'> = listOf(announcements);
