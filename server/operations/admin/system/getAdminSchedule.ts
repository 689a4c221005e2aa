import type { Handler } from '../../types';
import { readOf } from '../resource';
import { schedules } from '../resourcesSystem';

export const getAdminSchedule: Handler<'getAdminSchedule'> = readOf(schedules);
