import type { Handler } from '../types';
import { listOf } from '../core/admin/resource';
import { queues } from '../core/admin/resourcesSystem';

export const listAdminQueues: Handler<'listAdminQueues'> = listOf(queues);
