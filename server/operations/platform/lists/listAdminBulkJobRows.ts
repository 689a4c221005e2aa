import { adminOne } from '../../../db/core/adminList';
import type { Handler } from '../../types';
import { listOf, missing, sourceOf } from '../../core/admin/resource';
import { bulkJobRows, bulkJobs } from '../../core/admin/resourcesLists';

const list = listOf(bulkJobRows);

export const listAdminBulkJobRows: Handler<'listAdminBulkJobRows'> = async ({ path, query, ctx }) => {
  if (!(await adminOne(ctx.db, sourceOf(bulkJobs, ctx), path.id))) throw missing(bulkJobs, path.id);
  return list({ path, query, ctx });
};
