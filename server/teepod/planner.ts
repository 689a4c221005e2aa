/**
 * Plans Compose files in a separate thread with memory and time limits: parsing a tenant's YAML can take
 * seconds, and the RPC must keep responding to other tenants.
 */
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { ComposeError, type ComposePlan, type CvmLimits } from './compose/plan';
import { say } from './log';

export interface PlanRequest {
  source: string;
  env: ReadonlyMap<string, string>;
  limits: CvmLimits;
}
/** `refused` is shown to the tenant; `failed` is a defect and only logged. */
export type PlanReply = { plan: ComposePlan } | { refused: string } | { failed: string };

const TIMEOUT_MS = 30_000;
const MEMORY_MB = 512;

export class Planner {
  readonly #turns = pLimit(1);
  #worker: Worker | undefined;

  constructor(readonly timeoutMs = TIMEOUT_MS) {}

  /** @throws {ComposeError} if the file is refused or exceeds a limit. */
  plan(request: PlanRequest, signal: AbortSignal): Promise<ComposePlan> {
    return new Promise((resolve, reject) => {
      // A CVM stopped or removed in the meantime doesn't wait for its turn.
      signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
      this.#turns(async () => {
        signal.throwIfAborted();
        return this.#ask(request);
      }).then(resolve, reject);
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  async #ask(request: PlanRequest): Promise<ComposePlan> {
    this.#worker ??= startWorker();
    const worker = this.#worker;
    const reply = await exchange(worker, request, this.timeoutMs);
    if ('lost' in reply) {
      this.#worker = undefined;
      await worker.terminate();
      throw new ComposeError(reply.lost);
    }
    if ('plan' in reply) return reply.plan;
    if ('refused' in reply) throw new ComposeError(reply.refused);
    say('error', "couldn't plan a Compose file", { reason: reply.failed });
    throw new Error('internal error while reading the Compose file');
  }
}

/**
 * When running from source, a thread needs tsx registered explicitly: Node 20 ignores `--import tsx` there.
 */
const FROM_SOURCE = import.meta.url.endsWith('.ts');
const FROM_TYPESCRIPT = `import('tsx/esm/api').then(({ register }) => {
  register();
  return import(require('node:worker_threads').workerData);
});`;

function startWorker(): Worker {
  // Not a literal, so that the bundler leaves the path alone; dist has the file beside main.js.
  const file = FROM_SOURCE ? './planWorker.ts' : './planWorker.js';
  const url = new URL(file, import.meta.url);
  const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MB };
  const worker = FROM_SOURCE
    ? new Worker(FROM_TYPESCRIPT, { eval: true, workerData: url.href, resourceLimits })
    : new Worker(url, { resourceLimits });
  worker.on('error', () => undefined); // an unhandled error event would end the process
  worker.unref();
  return worker;
}

/** `lost`: the thread is no longer usable. */
function exchange(
  worker: Worker,
  request: PlanRequest,
  timeoutMs: number,
): Promise<PlanReply | { lost: string }> {
  return new Promise((resolve) => {
    const end = (reply: PlanReply | { lost: string }): void => {
      clearTimeout(timer);
      worker.off('message', end).off('error', onError).off('exit', onExit);
      resolve(reply);
    };
    const onError = (error: NodeJS.ErrnoException): void => {
      const memory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      if (!memory) say('error', 'the planning thread failed', { reason: error.stack ?? error.message });
      end({
        lost: memory
          ? `the Compose file takes more than ${MEMORY_MB} MB of memory to parse`
          : 'internal error',
      });
    };
    const onExit = (): void => end({ lost: 'internal error' });
    const timer = setTimeout(
      () => end({ lost: `the Compose file takes more than ${timeoutMs / 1000} s to parse` }),
      timeoutMs,
    );
    worker.on('message', end).on('error', onError).on('exit', onExit);
    worker.postMessage(request);
  });
}
