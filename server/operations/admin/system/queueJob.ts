import { sql, type RawBuilder } from 'kysely';
import { adminOne } from '../../../db/adminList';
import { adminQueueJob, type QueueJobRow } from '../../../db/adminQueues';
import type { Tx } from '../../../db/client';
import type { Database } from '../../../db/schema';
import { Problem } from '../../../domain/problem';
import { adminQueueJobOut } from '../../../domain/wire/adminSystem';
import type { Context } from '../../types';
import { missing } from '../resource';
import { queueJobs } from '../resourcesSystem';

/** What is done to one kind of job; @returns false when it is not possible any more. */
export type Act = (trx: Tx, ctx: Context, id: number) => Promise<boolean>;

/** Changes a job's row as long as it is as `still` says. */
export const changeJob =
  (table: keyof Database, set: RawBuilder<unknown>, still = sql<boolean>`true`): Act =>
  async (trx, _ctx, id) => {
    const changed = await sql`update ${sql.table(table)} set ${set} where id = ${id} and ${still}`.execute(
      trx,
    );
    return (changed.numAffectedRows ?? 0n) > 0n;
  };

/** Does `act` to the job of that id, with an audit row, and answers what is left of it. */
export function actOn(
  ctx: Context,
  job_id: string,
  action: 'retry' | 'cancel',
  acts: Readonly<Record<string, Act>>,
  allowed: (job: QueueJobRow) => boolean,
) {
  return ctx.write(async ({ trx, audit }) => {
    const job = await adminOne(trx, adminQueueJob, job_id);
    if (!job) throw missing(queueJobs, job_id);
    const [kind = '', id = ''] = job_id.split('-');
    const act = acts[kind];
    if (!act || !allowed(job) || !(await act(trx, ctx, Number(id))))
      throw new Problem('CONFLICT', { message: refusal(job, action), suggestions: advice(job) });
    await audit({
      action: `queue_job.${action}`,
      target_kind: 'queue_job',
      target_id: job_id,
      before: { queue: job.queue_id, name: job.name, state: job.state, attempts: job.attempts },
    });
    // A job that is done with is in no queue any more.
    const now = (await adminOne(trx, adminQueueJob, job_id)) ?? {
      ...job,
      can_retry: false,
      can_cancel: false,
    };
    return { status: 200, body: adminQueueJobOut(now) } as const;
  });
}

const refusal = (job: QueueJobRow, action: 'retry' | 'cancel') =>
  action === 'retry'
    ? `“${job.name}” is ${job.state === 'running' ? 'being worked on' : 'not to be tried again'}.`
    : `“${job.name}” cannot be cancelled: it is ${job.state}.`;

const advice = ({ queue_id, state }: QueueJobRow): string[] => {
  if (queue_id === 'operations' && state === 'failed')
    return ['What it did was taken back. Its owner starts it again from the page of the CVM.'];
  if (queue_id === 'rollouts')
    return ['Cancel it on the page of its app, where one says what becomes of its CVMs.'];
  return [];
};
