import type { Handler } from '../../types';
import { listOf } from '../resource';
import { workers } from '../resourcesSystem';

export const listAdminWorkers: Handler<'listAdminWorkers'> = listOf(workers);
