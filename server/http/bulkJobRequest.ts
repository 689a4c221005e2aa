import { cutWhole } from '../../console/lib/texts/cutWhole';
import { operations, type OperationId, type OperationSpec } from '../../generated/api/operations.gen';
import {
  BulkRowLost,
  findBulkPerson,
  markBulkRow,
  type BulkPlace,
  type BulkRowResult,
} from '../db/platform/adminBulkJobs';
import { withTransaction } from '../db/core/client';
import type { BulkJobRow } from '../db/platform/adminBulkJobsTable';
import { Problem } from '../domain/core/problem';
import type { RunBulkRow } from '../jobs/platform/bulkJobs';
import type { Context, Handlers, Services } from '../operations/types';
import { toProblem, ValidationProblem } from './errors';
import { perform } from './perform';
import { requestTransactions } from './requestTransaction';

/**
 * Runs one row of a bulk job: the handler of a single request, as the user who requested the job, with their current
 * permissions. The handler's own transaction records the row's outcome, so each row runs once or not at all, even if
 * a process dies.
 */
export const createBulkRowRunner =
  (services: Services, handlers: Handlers): RunBulkRow =>
  async (job, row, owner, signal) => {
    const place: BulkPlace = { job_id: job.id, n: row.n, owner };
    const mark = (result: BulkRowResult) =>
      withTransaction(services.db, (trx) => markBulkRow(trx, place, result));
    let marked = false;
    try {
      const id = job.operation as OperationId;
      const spec: OperationSpec | undefined = operations[id];
      if (!spec)
        throw new Problem('NOT_FOUND', { message: `This server has no operation ${job.operation}.` });
      const ctx = await contextFor(services, job, row.row_id, signal, async (trx) => {
        if (!marked) await markBulkRow(trx, place, { state: 'succeeded' });
        return () => (marked = true);
      });
      const [name = 'id'] = Object.keys(spec.pathTypes);
      const path = { [name]: row.row_id };
      await perform(id, { path, body: job.body ?? {} }, ctx, { handlers });
      // No change was necessary.
      if (!marked) await mark({ state: 'succeeded' });
      return 'done';
    } catch (error) {
      if (error instanceof BulkRowLost) return 'lost';
      // Failed because this process is stopping: another process, or the next start, runs the row.
      if (signal.aborted && !marked) return 'lost';
      const problem = toProblem(error);
      if (problem.status >= 500)
        services.log.error(
          { err: problem.info.cause ?? problem, bulk_job: job.id, row: row.row_id },
          problem.message,
        );
      if (marked) return 'done';
      return mark({ state: 'failed', code: problem.code, message: sentence(problem) }).then(
        () => 'done' as const,
        (lost: unknown) => {
          if (lost instanceof BulkRowLost) return 'lost' as const;
          throw lost;
        },
      );
    }
  };

/** Called at the end of each of the handler's transactions; its return value is called after the commit. */
type Also = (trx: Parameters<typeof markBulkRow>[0]) => Promise<() => void>;

async function contextFor(
  services: Services,
  job: BulkJobRow,
  row_id: string,
  signal: AbortSignal,
  also: Also,
): Promise<Context> {
  const caller = await findBulkPerson(services.db, job);
  if (!caller)
    throw new Problem('FORBIDDEN', {
      message:
        'The user who requested this can no longer sign in, or their token has expired or been revoked.',
    });
  const ctx: Context = {
    ...services,
    log: services.log.child({ request_id: job.request_id, bulk_job: job.id, row: row_id }),
    request_id: job.request_id,
    caller,
    session_token: null,
    cookie: () => null,
    headers: {},
    ip: job.ip ?? '',
    user_agent: job.user_agent ?? '',
    signal,
    ...requestTransactions({
      services,
      operation: job.operation as OperationId,
      request_id: job.request_id,
      ctx: () => ctx,
      admin: true,
      beforeCommit: also,
    }),
  };
  return ctx;
}

function sentence(problem: Problem): string {
  const details =
    problem instanceof ValidationProblem
      ? problem.issues.map(({ msg }) => msg)
      : (problem.info.details ?? []).flatMap(({ message }) => message ?? []);
  return cutWhole([problem.message, ...details.filter((one) => one !== problem.message)].join(' '), 2000);
}
