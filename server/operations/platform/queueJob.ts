import { sql, type RawBuilder } from 'kysely';
import { adminOne } from '../../db/core/adminList';
import { adminQueueJob, type QueueJobRow } from '../../db/platform/adminQueues';
import type { Tx } from '../../db/core/client';
import type { Database } from '../../db/core/schema';
import { Problem } from '../../domain/core/problem';
import { adminQueueJobOut } from '../../domain/platform/adminSystemResponse';
import type { Context } from '../types';
import { missing } from '../core/admin/resource';
import { queueJobs } from '../core/admin/resourcesSystem';
import { ownValue } from '../../../console/lib/ownValue';

/** An action on one kind of job; @returns false if it is no longer possible. */
export type Act = (trx: Tx, ctx: Context, id: number) => Promise<boolean>;

/** Returns an action that updates a job's row if the condition `still` holds. */
export const changeJob =
  (table: keyof Database, set: RawBuilder<unknown>, still = sql<boolean>`true`): Act =>
  async (trx, _ctx, id) => {
    const changed = await sql`update ${sql.table(table)} set ${set} where id = ${id} and ${still}`.execute(
      trx,
    );
    return (changed.numAffectedRows ?? 0n) > 0n;
  };

/** Runs the job's action, records it in the audit log and returns the job's new state. */
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
    const act = ownValue(acts, kind);
    if (!act || !allowed(job) || !(await act(trx, ctx, Number(id))))
      throw new Problem('CONFLICT', { message: refusal(job, action), suggestions: advice(job) });
    await audit({
      action: `queue_job.${action}`,
      target_kind: 'queue_job',
      target_id: job_id,
      before: { queue: job.queue_id, name: job.name, state: job.state, attempts: job.attempts },
    });
    // A finished job is no longer in a queue.
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
    ? `“${job.name}” is ${job.state === 'running' ? 'running' : 'not retryable'}.`
    : `“${job.name}” can't be canceled: it is ${job.state}.`;

const advice = ({ queue_id, state }: QueueJobRow): string[] => {
  if (queue_id === 'operations' && state === 'failed')
    return ["Its changes were rolled back. The owner can start it again from the CVM's page."];
  if (queue_id === 'rollouts')
    return ["Cancel it on the app's page, where you choose what happens to its CVMs."];
  return [];
};
