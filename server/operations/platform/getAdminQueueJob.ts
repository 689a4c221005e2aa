import type { Handler } from '../types';
import { readOf } from '../core/admin/resource';
import { queueJobs } from '../core/admin/resourcesSystem';

export const getAdminQueueJob: Handler<'getAdminQueueJob'> = readOf(queueJobs);
