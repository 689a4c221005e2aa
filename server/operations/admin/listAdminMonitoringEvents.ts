import type { Handler } from '../types';
import { listOf } from './resource';
import { monitoringEvents } from './resources';

export const listAdminMonitoringEvents: Handler<'listAdminMonitoringEvents'> = listOf(monitoringEvents);
