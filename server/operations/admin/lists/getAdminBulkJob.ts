import type { Handler } from '../../types';
import { readOf } from '../resource';
import { bulkJobs } from '../resourcesLists';

export const getAdminBulkJob: Handler<'getAdminBulkJob'> = readOf(bulkJobs);
