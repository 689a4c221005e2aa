import { adminOne } from '../../../db/core/adminList';
import { requestCancel } from '../../../db/platform/adminBulkJobs';
import { Problem } from '../../../domain/core/problem';
import { adminBulkJobOut } from '../../../domain/platform/adminListResponse';
import type { Handler } from '../../types';
import { missing, sourceOf } from '../../core/admin/resource';
import { bulkJobs } from '../../core/admin/resourcesLists';
import { mayDo, targetOf } from './targets';

/**
 * Finished rows stay finished; a row in progress is rolled back, as it is one transaction. Anyone who may
 * start a job may cancel it.
 */
export const cancelAdminBulkJob: Handler<'cancelAdminBulkJob'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const source = sourceOf(bulkJobs, ctx);
    const job = await adminOne(trx, source, path.id);
    if (!job) throw missing(bulkJobs, path.id);
    const target = targetOf(job.resource, job.action);
    if (!target || !mayDo(ctx, target)) throw new Problem('FORBIDDEN');
    if (!(await requestCancel(trx, job.id)))
      throw new Problem('CONFLICT', { message: `The job is already ${job.state}.` });
    await audit({
      action: 'admin_bulk_job.cancel',
      target_kind: 'admin_bulk_job',
      target_id: String(job.id),
      team_id: null,
      before: { state: job.state, succeeded: job.succeeded, failed: job.failed, total: job.total },
    });
    const now = await adminOne(trx, source, path.id);
    if (!now) throw missing(bulkJobs, path.id);
    return { status: 200 as const, body: adminBulkJobOut(now) };
  });
