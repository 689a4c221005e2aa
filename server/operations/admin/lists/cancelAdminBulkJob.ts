import { adminOne } from '../../../db/adminList';
import { requestCancel } from '../../../db/adminBulkJobs';
import { Problem } from '../../../domain/problem';
import { adminBulkJobOut } from '../../../domain/wire/adminLists';
import type { Handler } from '../../types';
import { missing, sourceOf } from '../resource';
import { bulkJobs } from '../resourcesLists';
import { mayDo, targetOf } from './targets';

/** Rows that are done stay done; one that is in the middle is undone, as it is one transaction. Who may begin it may end it. */
export const cancelAdminBulkJob: Handler<'cancelAdminBulkJob'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const source = sourceOf(bulkJobs, ctx);
    const job = await adminOne(trx, source, path.id);
    if (!job) throw missing(bulkJobs, path.id);
    const target = targetOf(job.resource, job.action);
    if (!target || !mayDo(ctx, target)) throw new Problem('FORBIDDEN');
    if (!(await requestCancel(trx, job.id)))
      throw new Problem('CONFLICT', { message: `The job is ${job.state}: no row of it is left to do.` });
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
