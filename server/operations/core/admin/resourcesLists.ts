import { short } from '../../../domain/core/references';
import { adminOne } from '../../../db/core/adminList';
import { adminBulkJobRowsOf, adminBulkJobsOf } from '../../../db/platform/adminBulkJobs';
import { adminViewsFor } from '../../../db/platform/adminViews';
import {
  adminBulkJobOut,
  adminBulkJobRowOut,
  adminViewOut,
} from '../../../domain/platform/adminListResponse';
import { userOf } from '../caller';
import { listableResources } from '../../platform/lists/targets';
import { namesOf } from './names';
import type { AdminResource } from './resource';

const resource = <Row, Out>(given: AdminResource<Row, Out>) => given;

export const views = resource({
  name: 'views',
  singular: 'view',
  source: adminViewsFor(null, []),
  // A shared view's filters are not for users who may not read the list.
  sourceFor: (ctx) => adminViewsFor(userOf(ctx).id, listableResources(ctx)),
  out: adminViewOut,
  version: (row) => row.updated_at,
});

/** Limited to resources the caller may list: a job's description of its rows is not for others. */
export const bulkJobs = resource({
  name: 'bulk-jobs',
  singular: 'bulk job',
  source: adminBulkJobsOf([]),
  sourceFor: (ctx) => adminBulkJobsOf(listableResources(ctx)),
  out: adminBulkJobOut,
  version: (row) => row.updated_at,
});

export const bulkJobRows = resource({
  name: 'rows',
  singular: 'row',
  source: adminBulkJobRowsOf(0),
  sourceFor: (_ctx, { id }) => adminBulkJobRowsOf(Number(id)),
  out: adminBulkJobRowOut,
  // The job decides which resource its rows belong to.
  async finish(rows, ctx, { id }) {
    const job = await adminOne(ctx.db, adminBulkJobsOf(listableResources(ctx)), Number(id));
    const names = await namesOf(
      ctx,
      job?.resource ?? '',
      rows.map(({ row_id }) => row_id),
    );
    return rows.map((row) => ({ ...row, name: short(names.get(row.row_id) ?? null, 2000) }));
  },
  version: (row) => row.finished_at ?? new Date(0),
});
