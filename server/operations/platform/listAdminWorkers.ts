import type { Handler } from '../types';
import { listOf } from '../core/admin/resource';
import { workers } from '../core/admin/resourcesSystem';

export const listAdminWorkers: Handler<'listAdminWorkers'> = listOf(workers);
