import type { Handler } from '../../types';
import { listOf } from '../resource';
import { alerts } from '../resourcesSystem';

export const listAdminAlerts: Handler<'listAdminAlerts'> = listOf(alerts);
