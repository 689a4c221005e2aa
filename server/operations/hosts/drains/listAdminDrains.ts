import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { drains } from '../../core/admin/resourcesFleet';

export const listAdminDrains: Handler<'listAdminDrains'> = listOf(drains);
