import type { Logger } from 'pino';
import {
  bulkLeases,
  endCancelled,
  finishBulkJob,
  queuedRows,
  renewBulkJob,
} from '../../db/platform/adminBulkJobs';
import type { Db } from '../../db/core/client';
import type { BulkJobRow } from '../../db/platform/adminBulkJobsTable';
import { deadExcept } from '../core/workerId';

/**
 * Processes one row and records its result. `lost`: the job was canceled or belongs to another worker, and
 * nothing was done. Injected, because jobs don't depend on operations.
 */
export type RunBulkRow = (
  job: BulkJobRow,
  row: { n: number; row_id: string },
  owner: string,
  signal: AbortSignal,
) => Promise<'done' | 'lost'>;

export interface BulkRunner {
  /** Starts jobs that have no worker. */
  sweep(): Promise<void>;
  /** Resolves when running work has ended. */
  idle(): Promise<void>;
  /** Leaves the rest to other processes, or to the next start of this one. */
  stop(): Promise<void>;
}

/** Concurrent jobs per process. Each processes one row at a time, so that they delay nobody else. */
const MAX_CONCURRENT = 3;
const ROW_BATCH_SIZE = 50;
/** A third of the lease. */
const RENEW_MS = 5_000;

export function createBulkRunner({
  db,
  log,
  owner,
  run,
}: {
  db: Db;
  log: Logger;
  owner: string;
  run: RunBulkRow;
}): BulkRunner {
  const stopping = new AbortController();
  const running = new Map<number, Promise<void>>();

  async function work(job: BulkJobRow): Promise<void> {
    const { id } = job;
    for (;;) {
      const rows = await queuedRows(db, id, ROW_BATCH_SIZE);
      if (rows.length === 0) return finishBulkJob(db, id, owner);
      for (const row of rows) {
        if (stopping.signal.aborted) return;
        if ((await run(job, row, owner, stopping.signal)) === 'lost') return endCancelled(db, id, owner);
      }
    }
  }

  function begin(job: BulkJobRow) {
    const renew = setInterval(
      () => void renewBulkJob(db, job.id, owner).catch(() => undefined), // the lease expires
      RENEW_MS,
    );
    const done = (job.cancel_requested_at ? endCancelled(db, job.id, owner) : work(job))
      .catch((error: unknown) =>
        log.error({ err: error, bulk_job: job.id }, 'bulk job step failed; retrying'),
      )
      .finally(async () => {
        clearInterval(renew);
        await bulkLeases.release(db, job.id, owner).catch(() => undefined);
        running.delete(job.id);
      });
    running.set(job.id, done);
  }

  return {
    async sweep() {
      await bulkLeases.releaseHeldBy(db, deadExcept(owner));
      if (running.size >= MAX_CONCURRENT) return;
      for (const job of await bulkLeases.claim(db, owner, MAX_CONCURRENT - running.size)) begin(job);
    },
    async idle() {
      await Promise.all(running.values());
    },
    async stop() {
      stopping.abort();
      await Promise.all(running.values());
    },
  };
}
