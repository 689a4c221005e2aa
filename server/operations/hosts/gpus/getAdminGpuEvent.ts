import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { gpuEvents } from '../../core/admin/resourcesGpus';

export const getAdminGpuEvent: Handler<'getAdminGpuEvent'> = readOf(gpuEvents);
