import type { Handler } from '../types';
import { readOf } from './resource';
import { monitoringEvents } from './resources';

export const getAdminMonitoringEvent: Handler<'getAdminMonitoringEvent'> = readOf(monitoringEvents);
