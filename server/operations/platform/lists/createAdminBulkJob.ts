import { secretFields } from '../../../../generated/api/permissions.gen';
import type { CreateAdminBulkJob } from '../../../../generated/api/types.gen';
import { adminIds, adminOne } from '../../../db/core/adminList';
import { countLiveJobs, insertBulkJob } from '../../../db/platform/adminBulkJobs';
import type { Tx } from '../../../db/core/client';
import { Problem } from '../../../domain/core/problem';
import { adminBulkJobOut } from '../../../domain/platform/adminListResponse';
import { userOf } from '../../core/caller';
import type { Context, Handler } from '../../types';
import { etagOf } from '../../core/admin/change';
import { invalid } from '../../core/invalid';
import { parseFilter } from '../../core/admin/listQuery';
import { listedResource, missing, refuseSlow, sourceOf } from '../../core/admin/resource';
import { bulkJobs } from '../../core/admin/resourcesLists';
import { listableResources, mayDo, needsStepUp, targetOf, type BulkTarget } from './targets';
import { counted } from '../../../../console/lib/texts/count';
import { toJson } from '../../../db/core/json';

/** Maximum rows per job, as documented to clients. */
const MAX_ROWS = 10_000;
/** Concurrent jobs per user. */
const MAX_LIVE_JOBS = 5;

/**
 * The rows are fixed here, in the transaction that creates the job; a worker then processes them in
 * order.
 */
export const createAdminBulkJob: Handler<'createAdminBulkJob'> = async ({ body, ctx }) => {
  const { resource, action, filter = null, expected_total } = body;
  const target = targetOf(resource, action);
  if (!target) throw invalid('action', `${resource} has no bulk action ${action}.`);
  if (!mayDo(ctx, target)) throw new Problem('FORBIDDEN');
  if (needsStepUp(ctx, target)) throw new Problem('STEP_UP_REQUIRED');
  const user = userOf(ctx);
  const sent = bodyFor(target, body.body);
  return ctx.write(async ({ trx, audit }) => {
    if ((await countLiveJobs(trx, user.id)) >= MAX_LIVE_JOBS)
      throw new Problem('CONFLICT', {
        message: `You already have ${MAX_LIVE_JOBS} bulk jobs in progress.`,
        suggestions: ['Wait for one to finish, or cancel one.'],
      });
    const ids = await idsOf(ctx, trx, body, target);
    if (ids.length > MAX_ROWS)
      throw invalid('filter', `More than ${MAX_ROWS.toLocaleString('en')} rows match. Narrow the filters.`);
    if (ids.length !== expected_total)
      throw new Problem('CONFLICT', {
        message: `The selection now has ${counted(ids.length, ['row', 'rows'])} instead of the ${expected_total} you reviewed. Nothing was changed.`,
        suggestions: ['Review the list, then try again.'],
      });
    const id = await insertBulkJob(trx, {
      resource,
      action,
      operation: target.operation,
      body: sent,
      filter,
      ids,
      user_id: user.id,
      token_id: ctx.caller.token_id,
      ip: ctx.ip,
      user_agent: ctx.user_agent,
      request_id: ctx.request_id,
    });
    await audit({
      action: 'admin_bulk_job.create',
      target_kind: 'admin_bulk_job',
      target_id: String(id),
      team_id: null,
      after: {
        resource,
        action,
        total: ids.length,
        // Values of a schema that was parsed from JSON.
        body: toJson(sent),
        filter: toJson(filter),
        first_ids: ids.slice(0, 20),
      },
    });
    const job = await adminOne(trx, sourceOf(bulkJobs, ctx), id);
    if (!job) throw missing(bulkJobs, id);
    return {
      status: 202 as const,
      headers: { ETag: etagOf(bulkJobs.name, id, job.updated_at) },
      body: adminBulkJobOut(job),
    };
  });
};

/** Checked now, so that an error is reported once rather than for every row. */
function bodyFor({ spec }: BulkTarget, given: Record<string, unknown> | undefined) {
  if (!spec.body) {
    if (given && Object.keys(given).length > 0) throw invalid('body', 'This action takes no body.');
    return null;
  }
  const checked = spec.body.safeParse(given ?? {});
  if (!checked.success) {
    const issue = checked.error.issues[0];
    throw invalid(['body', ...(issue?.path ?? [])].join('.'), issue?.message ?? 'Invalid value.');
  }
  const secret = Object.keys(given ?? {}).find((name) => secretFields.includes(name));
  // The job's rows outlive the request, and a shared password is never intended.
  if (secret !== undefined) throw invalid(`body.${secret}`, `Set ${secret} on one record at a time.`);
  return given ?? {};
}

async function idsOf(
  ctx: Context,
  trx: Tx,
  { resource, ids, filter }: CreateAdminBulkJob,
  { spec }: BulkTarget,
): Promise<string[]> {
  if ((ids === undefined) === (filter === undefined)) throw invalid('ids', 'Send either ids or filter.');
  if (ids !== undefined) {
    const numeric = Object.values(spec.pathTypes).includes('number');
    const wrong = ids.find((id) => numeric && !/^[1-9]\d{0,9}$/.test(String(id)));
    if (wrong !== undefined) throw invalid('ids', `“${String(wrong)}” is not an id of ${resource}.`);
    return [...new Set(ids.map(String))];
  }
  const listed = listedResource(resource);
  if (!listed || !listableResources(ctx).includes(resource))
    throw invalid('filter', `${resource} has no list to filter.`);
  const source = sourceOf(listed, ctx);
  const listQuery = { sort: { field: 'id', descending: false }, ...parseFilter(filter, source) };
  return adminIds(trx, source, listQuery, MAX_ROWS + 1).catch(refuseSlow);
}
