import { endsWithin } from '../../../console/lib/endsWithin';

export interface InProgress {
  /** Jobs in progress. */
  readonly size: number;
  /** Aborted when the process drains: start nothing more. */
  readonly stopping: AbortSignal;
  /** Aborted when the grace period ends: give up everything in progress. */
  readonly cut: AbortSignal;
  /** Tracks a job that has started. Its error goes to `onError`. */
  add(job: Promise<void>, onError: (error: unknown) => void): void;
  /** Resolves when no job is in progress. */
  idle(): Promise<void>;
  /** Lets jobs finish during the grace period, then aborts them. Resolves when none is left. */
  stop(): Promise<void>;
}

/** The jobs in progress in one process, until it drains. @param grace_ms time to finish when the process drains */
export function createInProgress(grace_ms: number): InProgress {
  const jobs = new Set<Promise<void>>();
  const stopping = new AbortController();
  const cut = new AbortController();
  const idle = async () => {
    await Promise.all(jobs);
  };
  return {
    get size() {
      return jobs.size;
    },
    stopping: stopping.signal,
    cut: cut.signal,
    add(job, onError) {
      const done: Promise<void> = job.catch(onError).finally(() => jobs.delete(done));
      jobs.add(done);
    },
    idle,
    async stop() {
      stopping.abort();
      const ended = idle();
      await endsWithin(ended, grace_ms);
      cut.abort();
      await ended;
    },
  };
}
