import { operations, type OperationId, type OperationSpec } from '../../generated/api/operations.gen';
import {
  BulkRowLost,
  findBulkPerson,
  markBulkRow,
  type BulkPlace,
  type BulkRowResult,
} from '../db/adminBulkJobs';
import { appendAudit, type AuditRow } from '../db/auditLog';
import { withTransaction } from '../db/client';
import type { BulkJobRow } from '../db/schemaAdminLists';
import { Problem } from '../domain/problem';
import type { RunBulkRow } from '../jobs/bulkJobs';
import type { Call, Context, Handler, Handlers, Services } from '../operations/types';
import { authorise } from './auth';
import { auditRow } from './context';
import { toProblem, validationProblem, ValidationProblem } from './errors';
import { coerceAll } from './mount';

/**
 * Does one row of a bulk job: the same handler as for a single request, as the person who asked for the job and with
 * the rights they have now. What became of the row is written in the handler's own transaction, so that it is done once
 * or not at all, whichever process dies when.
 */
export const createBulkRowRunner =
  (services: Services, handlers: Handlers): RunBulkRow =>
  async (job, row, owner, signal) => {
    const place: BulkPlace = { job_id: job.id, n: row.n, owner };
    const mark = (result: BulkRowResult) =>
      withTransaction(services.db, (trx) => markBulkRow(trx, place, result));
    let marked = false;
    try {
      const call = await callFor(services, job, row.row_id, signal, async (trx) => {
        if (!marked) await markBulkRow(trx, place, { state: 'succeeded' });
        return () => (marked = true);
      });
      const handler = handlers[job.operation as OperationId] as unknown as Handler<OperationId>;
      await handler(call);
      // Nothing had to be changed.
      if (!marked) await mark({ state: 'succeeded' });
      return 'done';
    } catch (error) {
      if (error instanceof BulkRowLost) return 'lost';
      // It failed because this process stops: another, or its next start, does the row.
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

/** Called at the end of each transaction of the handler; what it returns is called when that is committed. */
type Also = (trx: Parameters<typeof markBulkRow>[0]) => Promise<() => void>;

async function callFor(
  services: Services,
  job: BulkJobRow,
  row_id: string,
  signal: AbortSignal,
  also: Also,
): Promise<Call<OperationId>> {
  const spec: OperationSpec | undefined = operations[job.operation as OperationId];
  if (!spec) throw new Problem('NOT_FOUND', { message: `This server does not know ${job.operation}.` });
  const caller = await findBulkPerson(services.db, job);
  if (!caller)
    throw new Problem('FORBIDDEN', {
      message: 'Who asked for this may no longer sign in, or their token is over.',
    });
  authorise(spec, { caller });
  const [name = 'id'] = Object.keys(spec.pathTypes);
  const path = parse('path', spec.path_, coerceAll({ [name]: row_id }, spec.pathTypes));
  const body = spec.body ? parse('body', spec.body, job.body ?? {}) : undefined;
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
    async write(work) {
      const { result, committed } = await withTransaction(services.db, async (trx) => {
        const entries: AuditRow[] = [];
        const result = await work({
          trx,
          audit: async (entry) => void entries.push(auditRow(ctx, entry)),
        });
        if (entries.length === 0) throw new Error(`${job.operation} wrote without an audit row`);
        await appendAudit(trx, entries);
        return { result, committed: await also(trx) };
      });
      committed();
      return result;
    },
  };
  return { path, query: {}, body, ctx } as unknown as Call<OperationId>;
}

function parse(where: 'path' | 'body', schema: OperationSpec['body'], value: unknown): unknown {
  if (!schema) return {};
  const checked = schema.safeParse(value);
  if (!checked.success) throw validationProblem(where, checked.error);
  return checked.data;
}

function sentence(problem: Problem): string {
  const details =
    problem instanceof ValidationProblem
      ? problem.issues.map(({ msg }) => msg)
      : (problem.info.details ?? []).flatMap(({ message }) => message ?? []);
  return [problem.message, ...details.filter((one) => one !== problem.message)].join(' ').slice(0, 2000);
}
