import type { Handler } from '../../types';
import { listOf } from '../resource';
import { queueJobs } from '../resourcesSystem';

export const listAdminQueueJobs: Handler<'listAdminQueueJobs'> = listOf(queueJobs);
