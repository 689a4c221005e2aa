import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { apps } from '../../core/admin/resourcesPeople';

export const listAdminApps: Handler<'listAdminApps'> = listOf(apps);
