import { Worker } from 'node:worker_threads';
import type { AnalysisRequest, ComposeAnalysis } from './index';

/** Worker threads; each uses up to one core while it analyzes. */
const MAX_WORKERS = 2;
/** The largest legal file takes 0.5 s on an idle core. */
const DEADLINE_MS = 5_000;
/** The largest legal file takes about 100 MB. */
const MAX_HEAP_MB = 256;
/** Waiting files, each up to 200 KB. */
const MAX_WAITING = 200;
const MAX_WAITING_PER_OWNER = 16;

export type Refusal = 'time' | 'memory' | 'busy';

/** The file wasn't analyzed: it exceeded a limit, or too many files wait. */
export class AnalysisRefused extends Error {
  constructor(readonly reason: Refusal) {
    super(`Compose analysis refused: ${reason}`);
  }
}

interface Job {
  request: AnalysisRequest;
  resolve(analysis: ComposeAnalysis): void;
  reject(error: Error): void;
}

interface Thread {
  worker: Worker;
  job: Job | null;
  deadline: NodeJS.Timeout | undefined;
}

export interface PoolOptions {
  /** The compiled worker or its source, with what runs it. */
  entry: URL;
  execArgv: readonly string[];
  deadlineMs?: number;
  maxHeapMb?: number;
  /** An owner with this many waiting files gets further ones refused. */
  maxWaitingPerOwner?: number;
}

/**
 * A few threads that analyze files in turn. They start with the first file and stay; one that exceeds a limit is
 * ended and replaced. Waiting files are taken from each owner in turn.
 */
export function createAnalysisPool({
  entry,
  execArgv,
  deadlineMs = DEADLINE_MS,
  maxHeapMb = MAX_HEAP_MB,
  maxWaitingPerOwner = MAX_WAITING_PER_OWNER,
}: PoolOptions) {
  const waiting = new Map<string, Job[]>();
  const threads = new Set<Thread>();
  const idle: Thread[] = [];
  let waitingCount = 0;

  function takeNext(): Job | undefined {
    for (const [owner, jobs] of waiting) {
      const job = jobs.shift();
      waiting.delete(owner);
      if (jobs.length > 0) waiting.set(owner, jobs); // behind the other owners
      if (job) waitingCount--;
      return job;
    }
    return undefined;
  }

  function work(): void {
    while (waitingCount > 0) {
      const thread = idle.pop();
      if (!thread) {
        if (threads.size < MAX_WORKERS) start();
        return;
      }
      const job = takeNext();
      if (!job) return;
      thread.job = job;
      thread.deadline = setTimeout(() => end(thread, 'time'), deadlineMs);
      thread.worker.ref();
      thread.worker.postMessage(job.request);
    }
  }

  function start(): void {
    const worker = new Worker(entry, {
      execArgv: [...execArgv],
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: 32 },
    });
    const thread: Thread = { worker, job: null, deadline: undefined };
    threads.add(thread);
    worker.on('message', (message: ComposeAnalysis | 'ready') => {
      clearTimeout(thread.deadline);
      const { job } = thread;
      thread.job = null;
      if (message !== 'ready') job?.resolve(message);
      if (!threads.has(thread)) return;
      worker.unref(); // an idle thread doesn't keep the process alive
      idle.push(thread);
      work();
    });
    worker.on('error', (error: Error & { code?: string }) => {
      end(thread, error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : error);
    });
    worker.on('exit', (code) => end(thread, new Error(`the analysis thread exited with ${code}`)));
  }

  /**
   * Also called for a thread that exits without being stopped. A thread that never became ready fails the waiting
   * files.
   */
  function end(thread: Thread, why: Refusal | Error): void {
    if (!threads.delete(thread)) return;
    clearTimeout(thread.deadline);
    const at = idle.indexOf(thread);
    if (at >= 0) idle.splice(at, 1);
    const error = typeof why === 'string' ? new AnalysisRefused(why) : why;
    const failed = thread.job ?? (typeof why === 'string' ? undefined : takeNext());
    failed?.reject(error);
    void thread.worker.terminate();
    work();
  }

  return {
    run(request: AnalysisRequest, owner: string): Promise<ComposeAnalysis> {
      return new Promise((resolve, reject) => {
        const jobs = waiting.get(owner) ?? [];
        if (waitingCount >= MAX_WAITING || jobs.length >= maxWaitingPerOwner)
          return reject(new AnalysisRefused('busy'));
        waitingCount++;
        waiting.set(owner, [...jobs, { request, resolve, reject }]);
        work();
      });
    },
    /** Ends every thread; files in work fail. */
    async close(): Promise<void> {
      const ended = [...threads].map((thread) => {
        end(thread, new Error('the analysis pool was closed'));
        return thread.worker.terminate();
      });
      await Promise.all(ended);
    },
  };
}

export type AnalysisPool = ReturnType<typeof createAnalysisPool>;
