import type { Evidence, Report, VerifyOptions } from './types';

export interface VerifyRequest {
  id: number;
  evidence: Evidence;
  options: VerifyOptions;
}
export type VerifyAnswer = { id: number; report: Report } | { id: number; error: string };

interface Waiting {
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
    // The worker failed to load or crashed: reject pending calls; the next call starts a new worker.
    worker = null;
    made.terminate();
    for (const one of waiting.values()) one.reject(new Error('Couldn’t start the verifier.'));
    waiting.clear();
  });
  return made;
}

/**
 * Runs `verifyEvidence` in a shared worker, or on the calling thread where workers are unavailable.
 * @throws {Error} if the worker can't be loaded (offline after an update) or `options.roots` aren't
 * certificates.
 */
export async function verifyInWorker(evidence: Evidence, options: VerifyOptions): Promise<Report> {
  if (typeof Worker === 'undefined') {
    const { verifyEvidence } = await import('./verify');
    return verifyEvidence(evidence, options);
  }
  worker ??= startWorker();
  const id = (asked += 1);
  const report = new Promise<Report>((resolve, reject) => waiting.set(id, { resolve, reject }));
  worker.postMessage({ id, evidence, options } satisfies VerifyRequest);
  return report;
}
