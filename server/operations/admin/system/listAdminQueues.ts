import type { Handler } from '../../types';
import { listOf } from '../resource';
import { queues } from '../resourcesSystem';

export const listAdminQueues: Handler<'listAdminQueues'> = listOf(queues);
