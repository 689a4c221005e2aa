import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { maintenanceWindows } from '../../core/admin/resourcesFleet';

export const listAdminMaintenanceWindows: Handler<'listAdminMaintenanceWindows'> = listOf(maintenanceWindows);
