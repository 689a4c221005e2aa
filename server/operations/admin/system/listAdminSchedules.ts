import type { Handler } from '../../types';
import { listOf } from '../resource';
import { schedules } from '../resourcesSystem';

export const listAdminSchedules: Handler<'listAdminSchedules'> = listOf(schedules);
