import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { gpuEvents } from '../../core/admin/resourcesGpus';

export const listAdminGpuEvents: Handler<'listAdminGpuEvents'> = listOf(gpuEvents);
