import type { Handler } from '../../types';
import { readOf } from '../resource';
import { queueJobs } from '../resourcesSystem';

export const getAdminQueueJob: Handler<'getAdminQueueJob'> = readOf(queueJobs);
