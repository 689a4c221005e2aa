import type { Handler } from '../types';
import { readOf } from '../core/admin/resource';
import { workers } from '../core/admin/resourcesSystem';

export const getAdminWorker: Handler<'getAdminWorker'> = readOf(workers);
