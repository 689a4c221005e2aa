import type { Handler } from '../types';
import { readOf } from '../core/admin/resource';
import { schedules } from '../core/admin/resourcesSystem';

export const getAdminSchedule: Handler<'getAdminSchedule'> = readOf(schedules);
