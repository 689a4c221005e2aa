import { secretFields } from '../../../../generated/api/permissions.gen';
import type { CreateAdminBulkJob } from '../../../../generated/api/types.gen';
import { adminIds, adminOne } from '../../../db/adminList';
import { countLiveJobs, insertBulkJob } from '../../../db/adminBulkJobs';
import type { Tx } from '../../../db/client';
import { Problem } from '../../../domain/problem';
import { adminBulkJobOut } from '../../../domain/wire/adminLists';
import { personOf } from '../../shared/caller';
import type { Context, Handler } from '../../types';
import { etagOf, invalid } from '../change';
import { parseFilter } from '../listQuery';
import { listedResource, missing, refuseSlow, sourceOf } from '../resource';
import { bulkJobs } from '../resourcesLists';
import { listableResources, mayDo, needsStepUp, targetOf, type BulkTarget } from './targets';

/** Rows of one job at most; the document says so to clients. */
const MOST_ROWS = 10_000;
/** Jobs of one person at a time. */
const MOST_LIVE = 5;

/** Which rows it will be is settled here, in the transaction that makes the job; a worker does them one after another. */
export const createAdminBulkJob: Handler<'createAdminBulkJob'> = async ({ body, ctx }) => {
  const { resource, action, filter = null, expected_total } = body;
  const target = targetOf(resource, action);
  if (!target)
    throw invalid(
      'action',
      `There is nothing called ${action} to do to many records of ${resource} at once.`,
    );
  if (!mayDo(ctx, target)) throw new Problem('FORBIDDEN');
  if (needsStepUp(ctx, target)) throw new Problem('STEP_UP_REQUIRED');
  const person = personOf(ctx);
  const sent = bodyFor(target, body.body);
  return ctx.write(async ({ trx, audit }) => {
    if ((await countLiveJobs(trx, person.id)) >= MOST_LIVE)
      throw new Problem('CONFLICT', {
        message: `You have ${MOST_LIVE} bulk jobs that are not finished.`,
        suggestions: ['Wait until one is finished, or cancel one.'],
      });
    const ids = await idsOf(ctx, trx, body, target);
    if (ids.length > MOST_ROWS)
      throw invalid('filter', `More than ${MOST_ROWS.toLocaleString('en')} rows fit; narrow them down.`);
    if (ids.length !== expected_total)
      throw new Problem('CONFLICT', {
        message: `It is ${ids.length} ${ids.length === 1 ? 'row' : 'rows'} now, not the ${expected_total} you were shown. Nothing was done.`,
        suggestions: ['Look at the list again, then begin anew.'],
      });
    const id = await insertBulkJob(trx, {
      resource,
      action,
      operation: target.operation,
      body: sent,
      filter,
      ids,
      user_id: person.id,
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
        body: JSON.stringify(sent),
        filter: JSON.stringify(filter),
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

/** Checked now, so that a mistake is told once and not for every row. */
function bodyFor({ spec }: BulkTarget, given: Record<string, unknown> | undefined) {
  if (!spec.body) {
    if (given && Object.keys(given).length > 0) throw invalid('body', 'This is done without a body.');
    return null;
  }
  const checked = spec.body.safeParse(given ?? {});
  if (!checked.success) {
    const issue = checked.error.issues[0];
    throw invalid(['body', ...(issue?.path ?? [])].join('.'), issue?.message ?? 'It does not fit.');
  }
  const secret = Object.keys(given ?? {}).find((name) => secretFields.includes(name));
  // The job's rows outlive the request, and nobody means one password for many.
  if (secret !== undefined) throw invalid(`body.${secret}`, `${secret} is set on one record at a time.`);
  return given ?? {};
}

async function idsOf(
  ctx: Context,
  trx: Tx,
  { resource, ids, filter }: CreateAdminBulkJob,
  { spec }: BulkTarget,
): Promise<string[]> {
  if ((ids === undefined) === (filter === undefined))
    throw invalid('ids', 'Send either the ids of the rows or the filter they fit.');
  if (ids !== undefined) {
    const numeric = Object.values(spec.pathTypes).includes('number');
    const wrong = ids.find((id) => numeric && !/^[1-9]\d{0,9}$/.test(String(id)));
    if (wrong !== undefined) throw invalid('ids', `“${String(wrong)}” is not an id of ${resource}.`);
    return [...new Set(ids.map(String))];
  }
  const listed = listedResource(resource);
  if (!listed || !listableResources(ctx).includes(resource))
    throw invalid('filter', `${resource} has no list that could be filtered.`);
  const source = sourceOf(listed, ctx);
  const asked = { sort: { field: 'id', descending: false }, ...parseFilter(filter, source.fields) };
  return adminIds(trx, source, asked, MOST_ROWS + 1).catch(refuseSlow);
}
