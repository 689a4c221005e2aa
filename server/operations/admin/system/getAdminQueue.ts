import type { Handler } from '../../types';
import { readOf } from '../resource';
import { queues } from '../resourcesSystem';

export const getAdminQueue: Handler<'getAdminQueue'> = readOf(queues);
