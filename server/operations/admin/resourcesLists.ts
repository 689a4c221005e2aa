import { adminBulkJobRowsOf, adminBulkJobsOf } from '../../db/adminBulkJobs';
import { adminViewsFor } from '../../db/adminViews';
import { adminBulkJobOut, adminBulkJobRowOut, adminViewOut } from '../../domain/wire/adminLists';
import { personOf } from '../shared/caller';
import { listableResources } from './lists/targets';
import type { AdminResource } from './resource';

const resource = <Row, Out>(given: AdminResource<Row, Out>) => given;

export const views = resource({
  name: 'views',
  singular: 'view',
  source: adminViewsFor(null),
  sourceFor: (ctx) => adminViewsFor(personOf(ctx).id),
  out: adminViewOut,
  version: (row) => row.updated_at,
});

/** Those of the resources one may list: what a job says of its rows is not for others. */
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
  version: (row) => row.finished_at ?? new Date(0),
});
