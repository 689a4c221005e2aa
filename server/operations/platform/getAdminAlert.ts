import type { Handler } from '../types';
import { readOf } from '../core/admin/resource';
import { alerts } from '../core/admin/resourcesSystem';

export const getAdminAlert: Handler<'getAdminAlert'> = readOf(alerts);
