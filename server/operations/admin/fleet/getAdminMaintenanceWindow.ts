import type { Handler } from '../../types';
import { readOf } from '../resource';
import { maintenanceWindows } from '../resourcesFleet';

export const getAdminMaintenanceWindow: Handler<'getAdminMaintenanceWindow'> = readOf(maintenanceWindows);
