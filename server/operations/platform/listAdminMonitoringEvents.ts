import type { Handler } from '../types';
import { listOf } from '../core/admin/resource';
import { monitoringEvents } from '../core/admin/resources';

export const listAdminMonitoringEvents: Handler<'listAdminMonitoringEvents'> = listOf(monitoringEvents);
