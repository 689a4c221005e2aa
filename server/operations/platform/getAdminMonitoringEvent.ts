import type { Handler } from '../types';
import { readOf } from '../core/admin/resource';
import { monitoringEvents } from '../core/admin/resources';

export const getAdminMonitoringEvent: Handler<'getAdminMonitoringEvent'> = readOf(monitoringEvents);
