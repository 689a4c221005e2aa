import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { gpus } from '../../core/admin/resourcesGpus';

export const getAdminGpu: Handler<'getAdminGpu'> = readOf(gpus);
