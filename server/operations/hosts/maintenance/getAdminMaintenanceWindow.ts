import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { maintenanceWindows } from '../../core/admin/resourcesFleet';

export const getAdminMaintenanceWindow: Handler<'getAdminMaintenanceWindow'> = readOf(maintenanceWindows);
