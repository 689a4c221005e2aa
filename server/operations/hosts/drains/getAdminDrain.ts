import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { drains } from '../../core/admin/resourcesFleet';

export const getAdminDrain: Handler<'getAdminDrain'> = readOf(drains);
