import type { Handler } from '../../types';
import { readOf } from '../resource';
import { announcements } from '../resourcesContent';

export const getAdminAnnouncement: Handler<'getAdminAnnouncement'> = readOf(announcements);
