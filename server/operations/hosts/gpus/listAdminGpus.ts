import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { gpus } from '../../core/admin/resourcesGpus';

export const listAdminGpus: Handler<'listAdminGpus'> = listOf(gpus);
