import type { Handler } from '../types';
import { listOf } from '../core/admin/resource';
import { alerts } from '../core/admin/resourcesSystem';

export const listAdminAlerts: Handler<'listAdminAlerts'> = listOf(alerts);
