import type { Handler } from '../types';
import { listOf } from '../core/admin/resource';
import { queueJobs } from '../core/admin/resourcesSystem';

export const listAdminQueueJobs: Handler<'listAdminQueueJobs'> = listOf(queueJobs);
