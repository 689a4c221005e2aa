import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { bulkJobs } from '../../core/admin/resourcesLists';

export const getAdminBulkJob: Handler<'getAdminBulkJob'> = readOf(bulkJobs);
