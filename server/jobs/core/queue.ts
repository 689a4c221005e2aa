import { sql, type Transaction } from 'kysely';
import type { Logger } from 'pino';
import { JOB_CHANNEL, type EventBus, type JobNotice } from '../../db/core/eventBus';
import type { Database } from '../../db/core/schema';

/**
 * Wakes workers by NOTIFY, which PostgreSQL delivers when the transaction commits. The row itself is
 * authoritative: every worker also sweeps for due rows each second, and claims a row by its lease. A lost or
 * duplicate wake-up is therefore harmless.
 */
export interface JobQueue {
  /** Part of the caller's transaction: workers wake only if it commits. */
  enqueueOperation(trx: Transaction<Database>, correlation_id: string): Promise<void>;
  /** The same for an outbox row. */
  enqueueMail(trx: Transaction<Database>, id: number): Promise<void>;
}

export interface JobRunner extends JobQueue {
  /** Starts handling wake-ups; only in processes with the worker role. */
  work(handlers: JobHandlers): void;
  stop(): void;
}

interface JobHandlers {
  operation(correlation_id: string): Promise<void>;
  mail(id: number): Promise<void>;
}

interface Parts {
  events: Pick<EventBus, 'onJob'>;
  log: Logger;
}

export function createJobs({ events, log }: Parts): JobRunner {
  const unsubscribe: (() => void)[] = [];
  return {
    enqueueOperation: (trx, correlation_id) => notify(trx, { operation: correlation_id }),
    enqueueMail: (trx, id) => notify(trx, { mail: id }),
    work(handlers) {
      const handle = async (notice: JobNotice) => {
        if ('operation' in notice) await handlers.operation(notice.operation);
        else await handlers.mail(notice.mail);
      };
      unsubscribe.push(
        events.onJob((notice) => {
          handle(notice).catch((error: unknown) =>
            log.error({ err: error, job: notice }, 'a job could not be started; the next sweep retries it'),
          );
        }),
      );
    },
    stop() {
      for (const leave of unsubscribe.splice(0)) leave();
    },
  };
}

async function notify(trx: Transaction<Database>, notice: JobNotice): Promise<void> {
  await sql`select pg_notify(${JOB_CHANNEL}, ${JSON.stringify(notice)})`.execute(trx);
}
