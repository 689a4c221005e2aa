import type { Handler } from '../../types';
import { listOf } from '../resource';
import { bulkJobs } from '../resourcesLists';

export const listAdminBulkJobs: Handler<'listAdminBulkJobs'> = listOf(bulkJobs);
