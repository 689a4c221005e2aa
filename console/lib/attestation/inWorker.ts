import type { Evidence, Report, VerifyOptions } from './types';

export interface VerifyRequest {
  id: number;
  evidence: Evidence;
  options: VerifyOptions;
}
export type VerifyAnswer = { id: number; report: Report } | { id: number; error: string };

interface Waiting {
  request: VerifyRequest;
  /** Whether a worker already failed while this request waited. */
  isRepeated: boolean;
  resolve: (report: Report) => void;
  reject: (error: Error) => void;
}

let worker: Worker | null = null;
let asked = 0;
const waiting = new Map<number, Waiting>();

function startWorker(): Worker {
  const made = new Worker(new URL('./attestation.worker.ts', import.meta.url), { type: 'module' });
  made.addEventListener('message', ({ data }: MessageEvent<VerifyAnswer>) => {
    const one = waiting.get(data.id);
    waiting.delete(data.id);
    if ('report' in data) one?.resolve(data.report);
    else one?.reject(new Error(data.error));
  });
  made.addEventListener('error', () => {
    // A late error from a replaced worker: pending requests already went to its successor.
    if (worker !== made) return;
    // It crashed, or failed to load because of a network change.
    worker = null;
    made.terminate();
    const pending = [...waiting.values()];
    waiting.clear();
    for (const one of pending)
      if (one.isRepeated) one.reject(new Error('Couldn’t start the verifier.'));
      else ask({ ...one, isRepeated: true });
  });
  return made;
}

function ask(one: Waiting): void {
  waiting.set(one.request.id, one);
  worker ??= startWorker();
  worker.postMessage(one.request);
}

/**
 * Runs `verifyEvidence` in a shared worker, or on the calling thread if workers are unavailable.
 * @throws {Error} if the worker fails to load twice (offline after an update) or `options.roots` aren't
 * certificates.
 */
export async function verifyInWorker(evidence: Evidence, options: VerifyOptions): Promise<Report> {
  if (typeof Worker === 'undefined') {
    const { verifyEvidence } = await import('./verify');
    return verifyEvidence(evidence, options);
  }
  const id = (asked += 1);
  return new Promise<Report>((resolve, reject) =>
    ask({ request: { id, evidence, options }, isRepeated: false, resolve, reject }),
  );
}
