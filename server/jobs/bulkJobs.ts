import type { Logger } from 'pino';
import { bulkLeases, endCancelled, finishBulkJob, queuedRows, renewBulkJob } from '../db/adminBulkJobs';
import type { Db } from '../db/client';
import type { BulkJobRow } from '../db/schemaAdminLists';
import { isDeadWorker } from './workerId';

/**
 * Does one row and writes down what became of it. `lost`: the job is cancelled or another worker's, and nothing was
 * done. Handed in from above, as jobs know no operations.
 */
export type RunBulkRow = (
  job: BulkJobRow,
  row: { n: number; row_id: string },
  owner: string,
  signal: AbortSignal,
) => Promise<'done' | 'lost'>;

export interface BulkRunner {
  /** Begins what nobody works on. */
  sweep(): Promise<void>;
  /** Until what is running has ended. */
  idle(): Promise<void>;
  /** Leaves the rest to other processes, or to the next start of this one. */
  stop(): Promise<void>;
}

/** Jobs of one process at once; each does one row at a time, so that nobody else waits for them. */
const AT_ONCE = 3;
const ROWS_AT_ONCE = 50;
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
      const rows = await queuedRows(db, id, ROWS_AT_ONCE);
      if (rows.length === 0) return finishBulkJob(db, id, owner);
      for (const row of rows) {
        if (stopping.signal.aborted) return;
        if ((await run(job, row, owner, stopping.signal)) === 'lost') return endCancelled(db, id, owner);
      }
    }
  }

  function begin(job: BulkJobRow) {
    const renew = setInterval(
      () => void renewBulkJob(db, job.id, owner).catch(() => undefined), // then the lease runs out
      RENEW_MS,
    );
    const done = (job.cancel_requested_at ? endCancelled(db, job.id, owner) : work(job))
      .catch((error: unknown) =>
        log.error({ err: error, bulk_job: job.id }, 'a bulk job could not go on; it is tried again'),
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
      await bulkLeases.releaseOf(db, (holder) => holder !== owner && isDeadWorker(holder));
      if (running.size >= AT_ONCE) return;
      for (const job of await bulkLeases.claim(db, owner, AT_ONCE - running.size)) begin(job);
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
