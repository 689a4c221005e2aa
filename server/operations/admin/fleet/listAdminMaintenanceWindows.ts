import type { Handler } from '../../types';
import { listOf } from '../resource';
import { maintenanceWindows } from '../resourcesFleet';

export const listAdminMaintenanceWindows: Handler<'listAdminMaintenanceWindows'> = listOf(maintenanceWindows);
