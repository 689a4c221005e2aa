import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type * as InWorker from './inWorker';
import { verifyEvidence, DEFAULT_POLICY } from './verify';

let verifyInWorker: typeof InWorker.verifyInWorker;
// The module keeps its worker, so each test imports a new one.
beforeEach(async () => {
  vi.resetModules();
  ({ verifyInWorker } = await import('./inWorker'));
});

const OPTIONS = { now: 1_800_000_000, policy: DEFAULT_POLICY };
const EVIDENCE = { quote: 'abcd' };

/** Creates workers that verify, or fail to load and may report that again after being replaced. */
function fakeWorkers(loads: boolean[], { errors = 1 } = {}): { started: () => number } {
  let started = 0;
  class FakeWorker extends EventTarget {
    private readonly loads = loads[started++] ?? true;
    postMessage({ id, evidence, options }: InWorker.VerifyRequest): void {
      if (!this.loads) {
        for (let times = 0; times < errors; times++) this.dispatchEvent(new Event('error'));
        return;
      }
      void verifyEvidence(evidence, options).then((report) =>
        this.dispatchEvent(new MessageEvent('message', { data: { id, report } })),
      );
    }
    terminate(): void {
      this.dispatchEvent(new Event('terminated'));
    }
  }
  vi.stubGlobal('Worker', FakeWorker);
  return { started: () => started };
}

afterEach(() => vi.unstubAllGlobals());

it('verifies on the calling thread if workers are unavailable', async () => {
  expect(await verifyInWorker(EVIDENCE, OPTIONS)).toEqual(await verifyEvidence(EVIDENCE, OPTIONS));
});

it('starts another worker when one fails to load', async () => {
  const workers = fakeWorkers([false, true]);
  expect((await verifyInWorker(EVIDENCE, OPTIONS)).state).toBe('not verified');
  expect(workers.started()).toBe(2);
});

it('keeps the replacement of a worker that reports its failure again', async () => {
  const workers = fakeWorkers([false, true, true], { errors: 2 });
  expect((await verifyInWorker(EVIDENCE, OPTIONS)).state).toBe('not verified');
  expect((await verifyInWorker(EVIDENCE, OPTIONS)).state).toBe('not verified');
  expect(workers.started()).toBe(2);
});

it('rejects pending requests when two workers fail to load, and starts a new one for the next', async () => {
  const workers = fakeWorkers([false, false, true]);
  await expect(verifyInWorker(EVIDENCE, OPTIONS)).rejects.toThrow('Couldn’t start');
  const reports = await Promise.all([
    verifyInWorker(EVIDENCE, OPTIONS),
    verifyInWorker({ simulated: true }, OPTIONS),
  ]);
  expect(reports.map((report) => report.state)).toEqual(['not verified', 'simulated']);
  expect(workers.started()).toBe(3);
});
