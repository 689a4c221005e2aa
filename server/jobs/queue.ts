import { PgBoss } from 'pg-boss';
import type pg from 'pg';
import type { Transaction } from 'kysely';
import { CompiledQuery } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../db/schema';

/**
 * pg-boss delivers wake-ups; the operation row itself is the durable truth. A job only says "look at this operation",
 * so a lost or doubled job is harmless: whoever wakes up claims the row's lease or leaves it.
 */
export interface JobQueue {
  /** Part of the caller's transaction: no job without its rows, no rows without their job. */
  enqueueOperation(trx: Transaction<Database>, correlation_id: string): Promise<void>;
  /** The same for a row of the outbox. */
  enqueueMail(trx: Transaction<Database>, id: number): Promise<void>;
}

export interface JobRunner extends JobQueue {
  /** Begins to work; only where the process has the worker role. */
  work(handlers: JobHandlers): Promise<void>;
  /** For the sweep: wakes a worker outside a transaction. */
  wake(correlation_id: string): Promise<void>;
  stop(): Promise<void>;
}

export interface JobHandlers {
  operation(correlation_id: string): Promise<void>;
  mail(id: number): Promise<void>;
  housekeeping(): Promise<void>;
}

const OPERATION = 'cvm.operation';
const MAIL = 'mail.send';
const HOUSEKEEPING = 'housekeeping';

export async function createJobs(poolConfig: pg.PoolConfig, log: Logger): Promise<JobRunner> {
  const boss = new PgBoss({
    ...(poolConfig as object),
    schema: 'jobs',
    application_name: 'teehouse-jobs',
    max: 4,
    useListenNotify: true,
  });
  boss.on('error', (error) => log.error({ err: error }, 'the job queue had an error'));
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'the job queue warns'));
  await boss.start();
  const woken = { notify: true, retryLimit: 3, expireInSeconds: 60, deleteAfterSeconds: 86_400 };
  await boss.createQueue(OPERATION, woken);
  await boss.createQueue(MAIL, woken);
  await boss.createQueue(HOUSEKEEPING, { retryLimit: 0, expireInSeconds: 300, deleteAfterSeconds: 86_400 });
  return {
    async enqueueOperation(trx, correlation_id) {
      await boss.send(OPERATION, { correlation_id }, within(trx));
    },
    async enqueueMail(trx, id) {
      await boss.send(MAIL, { id }, within(trx));
    },
    async wake(correlation_id) {
      await boss.send(OPERATION, { correlation_id });
    },
    async work(handlers) {
      await boss.work<{ correlation_id: string }>(
        OPERATION,
        {
          batchSize: 20,
          burstWhenBatchFull: true,
          pollingIntervalSeconds: 1,
          notifyPollingIntervalSeconds: 5,
        },
        async (jobs) => {
          await Promise.all(jobs.map((job) => handlers.operation(job.data.correlation_id)));
        },
      );
      await boss.work<{ id: number }>(
        MAIL,
        { batchSize: 20, pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 5 },
        async (jobs) => {
          await Promise.all(jobs.map((job) => handlers.mail(job.data.id)));
        },
      );
      await boss.schedule(HOUSEKEEPING, '* * * * *');
      await boss.work(HOUSEKEEPING, { pollingIntervalSeconds: 20 }, () => handlers.housekeeping());
    },
    stop: () => boss.stop({ graceful: true, timeout: 5_000 }),
  };
}

/** Makes pg-boss write through the transaction. */
const within = (trx: Transaction<Database>) => ({
  db: {
    executeSql: async (text: string, values?: unknown[]) => {
      const { rows } = await trx.executeQuery(CompiledQuery.raw(text, values ?? []));
      return { rows };
    },
  },
});
