import { sql, type Transaction } from 'kysely';
import type { Logger } from 'pino';
import { JOB_CHANNEL, type EventBus, type JobNotice } from '../../db/core/eventBus';
import { prepared, type Db } from '../../db/core/client';
import type { Database } from '../../db/core/schema';
import { hostShard } from '../../db/hosts/hostShards';

/**
 * Wakes workers by NOTIFY, which PostgreSQL delivers when the transaction commits. The row itself is
 * authoritative: every worker also sweeps each second for due mail and for operations that nobody took within
 * two seconds, and claims a row by its lease. Lost or duplicate wake-ups are therefore harmless.
 */
export interface JobQueue {
  /**
   * Wakes the worker that holds the host of the operation's CVM, every worker if none does, or the others if that one
   * is full. Part of the caller's transaction: workers wake only if it commits.
   */
  enqueueOperation(trx: Transaction<Database>, correlation_id: string): Promise<void>;
  /** The same for an outbox row. */
  enqueueMail(trx: Transaction<Database>, id: number): Promise<void>;
}

export interface JobRunner extends JobQueue {
  /** Starts handling wake-ups; only in processes with the worker role. `worker` is the process's ID in leases. */
  work(worker: string, handlers: JobHandlers): void;
  /** Handles no more wake-ups. Resolves when those in progress no longer use the database. */
  stop(): Promise<void>;
}

interface JobHandlers {
  /** Returns false if this worker can't start the operation now. */
  operation(correlation_id: string): boolean;
  mail(id: number): Promise<void>;
}

interface Parts {
  db: Db;
  events: Pick<EventBus, 'onJob'>;
  log: Logger;
}

export function createJobs({ db, events, log }: Parts): JobRunner {
  const unsubscribe: (() => void)[] = [];
  const handling = new Set<Promise<void>>();
  return {
    enqueueOperation: notifyOperation,
    enqueueMail: notifyMail,
    work(worker, handlers) {
      const handle = async (notice: JobNotice) => {
        if ('mail' in notice) await handlers.mail(notice.mail);
        else if (notice.full === worker) return;
        else if (!notice.worker) handlers.operation(notice.operation);
        else if (notice.worker === worker && !handlers.operation(notice.operation))
          await notify(db, { operation: notice.operation, worker: null, full: worker });
      };
      unsubscribe.push(
        events.onJob((notice) => {
          const one: Promise<void> = handle(notice)
            .catch((error: unknown) =>
              log.error({ err: error, job: notice }, "couldn't start a job; the next sweep retries it"),
            )
            .finally(() => handling.delete(one));
          handling.add(one);
        }),
      );
    },
    async stop() {
      for (const leave of unsubscribe.splice(0)) leave();
      await Promise.all(handling);
    },
  };
}

/** Wakes one worker: if all were woken, each would try to claim the row, and all but one would wait for its lock. */
async function notifyOperation(trx: Transaction<Database>, correlation_id: string): Promise<void> {
  await sql`${prepared}
    select pg_notify(${JOB_CHANNEL}, json_build_object('operation', o.correlation_id, 'worker', s.lease_owner)::text)
    from operations o join cvms c on c.id = o.cvm_id
    left join host_shards s on s.shard = ${hostShard('c.teepod_id')} and s.lease_until > now()
    where o.correlation_id = ${correlation_id}`.execute(trx);
}

const notifyMail = (trx: Transaction<Database>, id: number): Promise<void> => notify(trx, { mail: id });

async function notify(db: Db, notice: JobNotice): Promise<void> {
  await sql`select pg_notify(${JOB_CHANNEL}, ${JSON.stringify(notice)})`.execute(db);
}
