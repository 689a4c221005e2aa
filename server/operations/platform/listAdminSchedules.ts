import type { Handler } from '../types';
import { listOf } from '../core/admin/resource';
import { schedules } from '../core/admin/resourcesSystem';

export const listAdminSchedules: Handler<'listAdminSchedules'> = listOf(schedules);
