import type { Handler } from '../../types';
import { readOf } from '../resource';
import { workers } from '../resourcesSystem';

export const getAdminWorker: Handler<'getAdminWorker'> = readOf(workers);
