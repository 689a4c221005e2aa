import type { Handler } from '../types';
import { readOf } from '../core/admin/resource';
import { queues } from '../core/admin/resourcesSystem';

export const getAdminQueue: Handler<'getAdminQueue'> = readOf(queues);
