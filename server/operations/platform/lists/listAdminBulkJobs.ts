import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { bulkJobs } from '../../core/admin/resourcesLists';

export const listAdminBulkJobs: Handler<'listAdminBulkJobs'> = listOf(bulkJobs);
