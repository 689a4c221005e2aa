import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { drainCvms } from '../../core/admin/resourcesFleet';

export const listAdminDrainCvms: Handler<'listAdminDrainCvms'> = listOf(drainCvms);
